import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { displayText, readDisclosure, sumsThatDisagree } from "@countersign/profile";
import { type Digest, digestOf, digestOfText, isJsonObject, type JsonObject } from "@countersign/wire";

/** What the page may draw: the terms of a record whose digest it has recomputed itself, with the disclosed texts. */
export interface Faithful {
  readonly record: JsonObject;
  readonly terms: JsonObject;
  readonly personal: Readonly<Record<string, string>>;
  /** Recomputed here; the decision names this one. */
  readonly actionDigest: Digest;
  readonly displayDigest: string;
}

/**
 * Recomputes everything that the decision will name: the record's digest, each disclosure's digest against the record,
 * and the display text from the record itself; and adds up what has a total (U27). Undefined when anything differs, or
 * when the record is of another action than the one asked for: then nothing is offered (approval-evidence §5).
 */
export async function checkFaithful(view: ApprovalView, askedFor: string): Promise<Faithful | undefined> {
  const { action } = view;
  const actionDigest = await digestOf(action);
  if (actionDigest !== view.action_digest) return undefined;
  const { terms, private: hidden } = action;
  if (action["action_id"] !== askedFor || action["task_id"] !== view.task_id) return undefined;
  if (terms === undefined || !isJsonObject(terms) || hidden === undefined || !isJsonObject(hidden)) return undefined;
  const disclosed = await disclosedTexts(action, view.disclosures);
  if (disclosed === undefined) return undefined;
  const { display_text: shown, ...personal } = disclosed;
  const displayDigest = hidden["display_text"];
  if (typeof displayDigest !== "string" || shown !== displayText(view.meaning, terms, personal)) return undefined;
  if (sumsThatDisagree(view.meaning, terms).length > 0) return undefined;
  return { record: action, terms, personal, actionDigest, displayDigest };
}

/** The disclosed texts of a record by name; undefined unless each is the record's own and is given once. */
export async function disclosedTexts(
  record: JsonObject,
  disclosures: readonly string[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const hidden = record["private"];
  if (hidden === undefined || !isJsonObject(hidden)) return undefined;
  const disclosed = new Map<string, string>();
  for (const text of disclosures) {
    const read = readDisclosure(text);
    if (!read.ok || disclosed.has(read.value.name)) return undefined;
    if (!Object.hasOwn(hidden, read.value.name) || (await digestOfText(text)) !== hidden[read.value.name])
      return undefined;
    disclosed.set(read.value.name, read.value.value);
  }
  return Object.fromEntries(disclosed);
}
