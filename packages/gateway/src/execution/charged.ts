import { type CommitOperation, compareTerms } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";

export type OutcomeFlag = "terms_exceeded" | "terms_differ";

/**
 * What the person must hear of at once (decision 10): after all checks the site charged more than approved, or did or
 * charged something else. Only what the site says is compared; a member that it said and that could not be kept
 * (`withheld`) is not the approved one.
 */
export function outcomeFlags(
  { meaning }: Pick<CommitOperation, "meaning">,
  approved: JsonObject,
  observed: JsonObject | undefined,
  withheld: readonly string[],
): readonly OutcomeFlag[] {
  const known = new Set([
    ...meaning.fields.filter((field) => field.compare !== "informative").map((field) => field.member),
    ...meaning.lists.map((list) => list.member),
  ]);
  const said = Object.entries(observed ?? {}).filter(([member]) => known.has(member));
  const members = new Set(said.map(([member]) => member));
  const same = Object.fromEntries(Object.entries(approved).filter(([member]) => members.has(member)));
  const { breaks } = compareTerms(meaning, same, Object.fromEntries(said));
  const total = (path: string) => members.has(path);
  const exceeded = breaks.some(({ kind, path }) => kind === "higher" && total(path));
  const differ =
    breaks.some(({ kind, path }) => !(kind === "higher" && total(path))) ||
    withheld.some((member) => known.has(member));
  return [...(exceeded ? (["terms_exceeded"] as const) : []), ...(differ ? (["terms_differ"] as const) : [])];
}
