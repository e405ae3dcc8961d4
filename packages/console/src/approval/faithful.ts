import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { displayText, readDisclosure } from "@countersign/profile";
import { digestOf, digestOfText, isJsonObject, type JsonObject } from "@countersign/wire";

/** What the page may draw: the terms of a record whose digest it has recomputed itself, with the disclosed texts. */
export interface Faithful {
  readonly terms: JsonObject;
  readonly personal: Readonly<Record<string, string>>;
  readonly displayDigest: string;
}

/**
 * Recomputes everything that the decision will name: the record's digest, each disclosure's digest against the record,
 * and the display text from the record itself. Undefined when anything differs: then nothing is offered (approval-evidence §5).
 */
export async function checkFaithful(view: ApprovalView): Promise<Faithful | undefined> {
  if ((await digestOf(view.action)) !== view.action_digest) return undefined;
  const { terms, private: hidden } = view.action;
  if (terms === undefined || !isJsonObject(terms) || hidden === undefined || !isJsonObject(hidden)) return undefined;
  const disclosed = new Map<string, string>();
  for (const text of view.disclosures) {
    const read = readDisclosure(text);
    if (!read.ok || typeof read.value.value !== "string") return undefined;
    if ((await digestOfText(text)) !== hidden[read.value.name]) return undefined;
    disclosed.set(read.value.name, read.value.value);
  }
  const shown = disclosed.get("display_text");
  const displayDigest = hidden["display_text"];
  disclosed.delete("display_text");
  const personal = Object.fromEntries(disclosed);
  if (typeof displayDigest !== "string" || shown !== displayText(view.meaning, terms, personal)) return undefined;
  return { terms, personal, displayDigest };
}
