import { err, ok, type Result } from "@countersign/wire";
import { type BareItem, type InnerList, type Item, isInnerList, parseDictionary } from "structured-headers";
import { FIELD_MAX_CHARS, SIGNATURES_MAX } from "../limits.ts";

export type FieldProblem = "malformed" | "duplicate" | "too_large";

// The parser keeps the last of two equal keys and cannot tell 1.0 from 1, so both are looked for in the text itself
// (RFC 8941 lets a member be overwritten; two readers that disagree on which one counts are an attack).
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const DECIMAL_TIME = /;[ ]*(?:created|expires)=-?[0-9]+\./;
const PRINTABLE = /^[\t\x20-\x7e]*$/;

export type Member = Item | InnerList;

/** A dictionary field of RFC 9651, strictly: bounded, ASCII, every key and every parameter once. */
export function parseStrictDictionary(text: string): Result<ReadonlyMap<string, Member>, FieldProblem> {
  if (text.length > FIELD_MAX_CHARS) return err("too_large");
  if (!PRINTABLE.test(text)) return err("malformed");
  const bare = text.replace(QUOTED, '""');
  if (DECIMAL_TIME.test(bare)) return err("malformed");
  let parsed: ReadonlyMap<string, Member>;
  try {
    parsed = parseDictionary(text);
  } catch {
    return err("malformed");
  }
  const members = bare.trim() === "" ? 0 : count(bare, ",") + 1;
  if (members !== parsed.size) return err("duplicate");
  if (count(bare, ";") !== parametersOf(parsed)) return err("duplicate");
  return parsed.size > SIGNATURES_MAX ? err("too_large") : ok(parsed);
}

export interface ParsedComponent {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, BareItem>;
}

/** One member of `Signature-Input`, nothing of it judged but its form. */
export interface ParsedInput {
  readonly components: readonly ParsedComponent[];
  readonly parameters: ReadonlyMap<string, BareItem>;
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
    if (isInnerList(member) || !(member[0] instanceof ArrayBuffer) || member[1].size > 0) return err("malformed");
    signatures.set(label, new Uint8Array(member[0]));
  }
  if (inputs.size !== signatures.size || [...inputs.keys()].some((label) => !signatures.has(label)))
    return err("label_mismatch");
  return ok({ inputs, signatures });
}

function inputOf(member: Member): ParsedInput | undefined {
  if (!isInnerList(member)) return undefined;
  const components: ParsedComponent[] = [];
  for (const [name, parameters] of member[0]) {
    if (typeof name !== "string") return undefined;
    components.push({ name, parameters });
  }
  return { components, parameters: member[1] };
}

function parametersOf(members: ReadonlyMap<string, Member>): number {
  let total = 0;
  for (const member of members.values()) {
    total += member[1].size;
    if (isInnerList(member)) for (const [, parameters] of member[0]) total += parameters.size;
  }
  return total;
}

function count(text: string, letter: string): number {
  let total = 0;
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) total += 1;
  return total;
}
