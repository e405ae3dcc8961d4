import { type Component, parseSignatures, readCandidate } from "@countersign/web-bot-auth/signatures";
import { assert } from "@countersign/wire";

/** The components of a printed `Signature-Input`, so that a test signs what is printed and nothing else. */
export function componentsOf(signatureInput: string, label: string): readonly Component[] {
  const parsed = parseSignatures(signatureInput, `${label}=::`);
  const input = parsed.ok ? parsed.value.inputs.get(label) : undefined;
  assert(input !== undefined, "an inner list");
  const read = readCandidate(label, input, "response");
  assert(read.ok, "the printed signature has the right form");
  return read.value.components;
}
