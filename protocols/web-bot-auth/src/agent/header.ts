import { err, ok, type Result } from "@countersign/wire";
import { isInnerList, parseItem } from "structured-headers";
import { FIELD_MAX_CHARS } from "../limits.ts";
import { parseStrictDictionary } from "../signatures/fields.ts";

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

const TOKEN = /^[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*$/;

/** A String begins with a quote and a dictionary's key cannot, so the first letter tells the forms apart. */
export function parseSignatureAgent(field: string): Result<SignatureAgent, "malformed"> {
  if (field.length > FIELD_MAX_CHARS) return err("malformed");
  if (field.startsWith('"')) return legacy(field);
  const parsed = parseStrictDictionary(field);
  if (!parsed.ok || parsed.value.size === 0) return err("malformed");
  const members = new Map<string, AgentMember>();
  for (const [key, member] of parsed.value) {
    const parameters = member[1].size;
    const value = isInnerList(member) || typeof member[0] !== "string" ? {} : { value: member[0] };
    const type = member[1].get("type");
    members.set(key, { key, ...value, ...(type === undefined ? {} : { type: typeText(type) }), parameters });
  }
  return ok({ form: "dictionary", members });
}

/** The parser gives tokens as objects of their own, so a String of the same letters is not one. */
function typeText(type: unknown): string | "unusable" {
  if (typeof type !== "object" || type === null) return "unusable";
  const text = String(type);
  return TOKEN.test(text) ? text : "unusable";
}

function legacy(field: string): Result<SignatureAgent, "malformed"> {
  try {
    const [value] = parseItem(field);
    return typeof value === "string" ? ok({ form: "string", value }) : err("malformed");
  } catch {
    return err("malformed");
  }
}
