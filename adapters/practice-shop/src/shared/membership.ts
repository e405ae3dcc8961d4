import { SiteTrouble } from "@countersign/plugin";
import { formatInstant, type JsonObject, parseInstant } from "@countersign/wire";
import { payeeOf } from "./terms.ts";

/** The shop has one subscription an account. */
export const MEMBERSHIP_REF = "membership";

export interface CancellationView {
  readonly plan: string;
  /** RFC 3339. */
  readonly endsAt: string;
  readonly consequences: readonly string[];
}

export function cancelTerms(origin: string, view: CancellationView): JsonObject {
  return {
    provider: payeeOf(origin),
    subscription_ref: MEMBERSHIP_REF,
    plan: view.plan,
    ends_on: day(view.endsAt),
    consequence: view.consequences.join(" "),
  };
}

export function cancellationResult(reference: string, endsAt: string): JsonObject {
  return { cancellation_ref: reference, ends_on: day(endsAt) };
}

/** The day, in UTC, of an instant that the shop names. */
export function day(text: string): string {
  const parsed = parseInstant(text);
  if (!parsed.ok) throw new SiteTrouble("the shop names a time that is none");
  return formatInstant(parsed.value).slice(0, 10);
}
