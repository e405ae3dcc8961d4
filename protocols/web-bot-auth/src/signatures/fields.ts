import { err, ok, type Result } from "@countersign/wire";
import { FIELD_MAX_CHARS, SIGNATURES_MAX } from "../limits.ts";
import { type BareItem, isInnerList, type Member, OtherItem, type Parameters } from "./structured.ts";
import { parseDictionary } from "./structured-reader.ts";

export type FieldProblem = "malformed" | "duplicate" | "too_large";

/** What a field of the protocol, and a covered value, may hold. */
export const PRINTABLE = /^[\t\x20-\x7e]*$/;

/** A dictionary field of the protocol: bounded, ASCII, every key and every parameter once. */
export function parseStrictDictionary(text: string): Result<ReadonlyMap<string, Member>, FieldProblem> {
  if (text.length > FIELD_MAX_CHARS) return err("too_large");
  const parsed = parseDictionary(text);
  if (typeof parsed === "string") return err(parsed);
  return parsed.size > SIGNATURES_MAX ? err("too_large") : ok(parsed);
}

/** What RFC 9651 added (dates, display strings) is not built here: no conclusion, rather than a wrong base. */
export function areBuilt(values: Iterable<BareItem>): boolean {
  for (const value of values)
    if (value instanceof OtherItem && (value.kind === "date" || value.kind === "display_string")) return false;
  return true;
}

export interface ParsedComponent {
  readonly name: string;
  readonly parameters: Parameters;
}

/** One member of `Signature-Input`, nothing of it judged but its form. */
export interface ParsedInput {
  readonly components: readonly ParsedComponent[];
  readonly parameters: Parameters;
}

export interface ParsedSignatures {
  readonly inputs: ReadonlyMap<string, ParsedInput>;
  readonly signatures: ReadonlyMap<string, Uint8Array>;
}

export type SignaturesProblem = FieldProblem | "label_mismatch";

/** `Signature-Input` and `Signature` together: the same labels, inner lists of strings here and byte sequences there. */
export function parseSignatures(
  inputField: string,
  signatureField: string,
): Result<ParsedSignatures, SignaturesProblem> {
  const inputMembers = parseStrictDictionary(inputField);
  if (!inputMembers.ok) return inputMembers;
  const signatureMembers = parseStrictDictionary(signatureField);
  if (!signatureMembers.ok) return signatureMembers;
  const inputs = new Map<string, ParsedInput>();
  for (const [label, member] of inputMembers.value) {
    const input = inputOf(member);
    if (input === undefined) return err("malformed");
    inputs.set(label, input);
  }
  const signatures = new Map<string, Uint8Array>();
  for (const [label, member] of signatureMembers.value) {
    if (isInnerList(member) || !(member.value instanceof Uint8Array) || member.parameters.size > 0)
      return err("malformed");
    signatures.set(label, member.value);
  }
  if (inputs.size !== signatures.size || [...inputs.keys()].some((label) => !signatures.has(label)))
    return err("label_mismatch");
  return ok({ inputs, signatures });
}

function inputOf(member: Member): ParsedInput | undefined {
  if (!isInnerList(member)) return undefined;
  const components: ParsedComponent[] = [];
  for (const { value, parameters } of member.items) {
    if (typeof value !== "string") return undefined;
    components.push({ name: value, parameters });
  }
  return { components, parameters: member.parameters };
}
