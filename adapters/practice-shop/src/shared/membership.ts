import { SiteTrouble } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { assert, formatInstant, type JsonObject, parseInstant } from "@countersign/wire";
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

/** What a read-back looks for when only the record has survived. */
export function cancellationTrace(record: ActionRecord): JsonObject {
  const { plan, ends_on: endsOn } = record.terms as JsonObject;
  assert(typeof plan === "string" && typeof endsOn === "string", "a record's terms are as the catalogue says");
  return { plan, ends_on: endsOn };
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
