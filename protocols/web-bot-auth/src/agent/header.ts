import { err, ok, type Result } from "@countersign/wire";
import { FIELD_MAX_CHARS } from "../limits.ts";
import { parseStrictDictionary } from "../signatures/fields.ts";
import { isInnerList, OtherItem } from "../signatures/structured.ts";
import { parseItem } from "../signatures/structured-reader.ts";

/** One member of `Signature-Agent`; `value` is missing where it is no String, and then nothing is made of it. */
export interface AgentMember {
  readonly key: string;
  readonly value?: string;
  /** The token of `type`; `unusable` where the parameter is something else. */
  readonly type?: string | "unusable";
  /** How many parameters it has, known or not. */
  readonly parameters: number;
}

/** The field as it came: a dictionary of today, or the single String of earlier drafts. */
export type SignatureAgent =
  | { readonly form: "dictionary"; readonly members: ReadonlyMap<string, AgentMember> }
  | { readonly form: "string"; readonly value: string };

/** A String begins with a quote and a dictionary's key cannot, so the first letter tells the forms apart. */
export function parseSignatureAgent(field: string): Result<SignatureAgent, "malformed"> {
  if (field.length > FIELD_MAX_CHARS) return err("malformed");
  if (field.startsWith('"')) return legacy(field);
  const parsed = parseStrictDictionary(field);
  if (!parsed.ok || parsed.value.size === 0) return err("malformed");
  const members = new Map<string, AgentMember>();
  for (const [key, member] of parsed.value) {
    const parameters = member.parameters.size;
    const value = isInnerList(member) || typeof member.value !== "string" ? {} : { value: member.value };
    const type = member.parameters.get("type");
    members.set(key, { key, ...value, ...(type === undefined ? {} : { type: typeText(type) }), parameters });
  }
  return ok({ form: "dictionary", members });
}

/** A String of the same letters is not a token. */
function typeText(type: unknown): string | "unusable" {
  return type instanceof OtherItem && type.kind === "token" ? type.text : "unusable";
}

function legacy(field: string): Result<SignatureAgent, "malformed"> {
  const item = parseItem(field);
  return typeof item === "object" && typeof item.value === "string"
    ? ok({ form: "string", value: item.value })
    : err("malformed");
}
