import { SiteTrouble } from "@countersign/plugin";
import { formatInstant, type JsonObject, parseInstant } from "@countersign/wire";
import { hostOf } from "./terms.ts";

/** The shop has one subscription an account. */
export const MEMBERSHIP_REF = "membership";
export const NO_SUCH_SUBSCRIPTION = "the shop has no such subscription";
export const ALREADY_CANCELLED = "the membership is cancelled already";

export interface Cancellation {
  readonly plan: string;
  /** RFC 3339. */
  readonly endsAt: string;
  readonly consequences: readonly string[];
}

export function isMembership(parameters: JsonObject): boolean {
  return parameters["subscription_ref"] === MEMBERSHIP_REF;
}

/** The terms of `subscription.cancel`. */
export function cancellationTerms(origin: string, cancellation: Cancellation): JsonObject {
  return {
    provider: hostOf(origin),
    subscription_ref: MEMBERSHIP_REF,
    plan: cancellation.plan,
    ends_on: dayOf(cancellation.endsAt),
    consequence: cancellation.consequences.join(" "),
  };
}

/** The result of `subscription.cancel`. */
export function cancellationResult(reference: string, endsAt: string): JsonObject {
  return { cancellation_ref: reference, ends_on: dayOf(endsAt) };
}

/** The calendar day, in UTC as the shop counts, of an instant that it names. */
export function dayOf(text: string): string {
  const parsed = parseInstant(text);
  if (!parsed.ok) throw new SiteTrouble("the shop names a time that is none");
  return formatInstant(parsed.value).slice(0, "YYYY-MM-DD".length);
}
