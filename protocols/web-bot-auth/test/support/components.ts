import type { Component } from "@countersign/web-bot-auth/signatures";
import { readCandidate } from "@countersign/web-bot-auth/signatures";
import { assert } from "@countersign/wire";
import { isInnerList, parseDictionary } from "structured-headers";

/** The components of a printed `Signature-Input`, so that a test signs what is printed and nothing else. */
export function componentsOf(signatureInput: string, label: string): readonly Component[] {
  const member = parseDictionary(signatureInput).get(label);
  assert(member !== undefined && isInnerList(member), "an inner list");
  const components = member[0].map(([name, parameters]) => ({ name: String(name), parameters }));
  const read = readCandidate(label, { components, parameters: member[1] }, "response");
  assert(read.ok, "the printed signature has the right form");
  return read.value.components;
}
