import { canonicalJson, type JsonObject } from "@countersign/wire";

/** What comparing a receipt's observed terms with the approved ones found. */
export interface TermsAnswer {
  /** Nothing material moved against the person; lower amounts pass (decisions.md 4). */
  readonly ok: boolean;
  /** An amount is lower than approved. */
  readonly lower?: boolean;
  /** The only difference is that a not-above amount is higher (decisions.md 10). */
  readonly exceeded?: boolean;
}

/** `observed` holds the members that the operation's receipts carry; members that it lacks are not compared. */
export type CompareObserved = (operation: string, approved: JsonObject, observed: JsonObject) => TermsAnswer;

/**
 * The comparison for an operation whose catalogue entry is not at hand: each observed member must equal the approved
 * one, but for `total_minor`, which may be lower.
 */
export const compareByMember: CompareObserved = (_operation, approved, observed) => {
  let lower = false;
  let higher = false;
  let changed = false;
  for (const [member, now] of Object.entries(observed)) {
    // `constructor` is a name that records allow, and one that every object inherits.
    const before = Object.hasOwn(approved, member) ? approved[member] : undefined;
    if (member === "total_minor" && typeof before === "number" && typeof now === "number") {
      lower ||= now < before;
      higher ||= now > before;
    } else {
      changed ||= before === undefined || canonicalJson(before) !== canonicalJson(now);
    }
  }
  return { ok: !changed && !higher, lower, exceeded: higher && !changed };
};
