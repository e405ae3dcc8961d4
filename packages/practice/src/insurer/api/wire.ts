import { sameText } from "../../auth/credentials.ts";
import { csrfToken, type Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import { decimalOf } from "../../site/money.ts";
import type { Claim, Offer, Policy } from "../model.ts";
import { CURRENCY } from "../seed.ts";
import type { InsurerWorld } from "../world.ts";

/** Every error of the insurer's API: its code, HTTP status and a sentence for people. */
const API_ERRORS = {
  invalid_request: [400, "The request is not what this endpoint takes."],
  idempotency_key_missing: [400, "A claim needs an Idempotency-Key."],
  unauthenticated: [401, "Please sign in."],
  invalid_credentials: [401, "The email and password do not match."],
  invalid_code: [401, "That code is not right. Enter the one shown now."],
  csrf_failed: [403, "The X-CSRF-Token is missing or of another session."],
  not_found: [404, "There is nothing at this address."],
  method_not_allowed: [405, "This method is not possible here."],
  code_not_due: [409, "Begin with the email and password."],
  quote_expired: [410, "Begin the claim again."],
  too_large: [413, "The request body is too large."],
  unsupported_media_type: [415, "Send JSON."],
  unknown_policy: [422, "You have no such policy."],
  day_not_covered: [422, "The policy did not run on that day."],
  day_to_come: [422, "That day is still to come."],
  below_excess: [422, "The amount is not above the excess: nothing would be paid."],
  above_limit: [422, "The amount is above what the policy covers."],
  claim_refused: [422, "We cannot take this claim online. Nothing was submitted; please call us."],
  idempotency_key_reused: [422, "This key was used for another request."],
  rate_limited: [429, "Too many attempts. Try again later."],
  temporarily_unavailable: [503, "Not available at the moment."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type InsurerApiError = keyof typeof API_ERRORS;

export function refuseInsurer(error: InsurerApiError, headers: Readonly<Record<string, string>> = {}): Answer {
  const [status, message] = API_ERRORS[error];
  return json(status, { error: { code: error, message } }, headers);
}

/** Whether a request that changes something comes from this session's own program, as JSON. */
export function problemWithCaller(
  world: InsurerWorld,
  exchange: Exchange,
): "csrf_failed" | "unsupported_media_type" | undefined {
  if (!(exchange.headers["content-type"] ?? "").startsWith("application/json")) return "unsupported_media_type";
  const token = exchange.headers["x-csrf-token"];
  return typeof token === "string" && sameText(token, csrfToken(world, exchange.sid)) ? undefined : "csrf_failed";
}

/** Amounts are decimal texts, all of one currency that stands once in the answer. */
function amountWire(minor: number): string {
  return decimalOf(minor, 2);
}

export function policyWire(policy: Policy, insured: string) {
  return {
    id: policy.id,
    number: policy.number,
    name: policy.name,
    type: policy.kind,
    insured,
    cover_from: policy.startsOn,
    cover_to: policy.endsOn,
    currency: CURRENCY,
    premium: { amount: amountWire(policy.premiumMinor), per: policy.premiumPer },
    excess: amountWire(policy.excessMinor),
    covers: policy.covers.map((cover) => ({
      title: cover.title,
      limit: amountWire(cover.limitMinor),
      used: amountWire(cover.usedMinor),
      pays_percent: cover.percent,
      note: cover.note,
    })),
  };
}

export function offerWire(offer: Offer, policy: Policy, insured: string) {
  return {
    policy: { id: policy.id, number: policy.number, name: policy.name },
    insured,
    happened_on: offer.happenedOn,
    description: offer.description,
    your_reference: offer.ownReference,
    currency: CURRENCY,
    claimed: amountWire(offer.amountMinor),
    excess: amountWire(offer.excessMinor),
    expected_payout: amountWire(offer.payoutMinor),
    paid_to: offer.paidTo,
    declaration: offer.declaration,
  };
}

export function claimWire(claim: Claim) {
  return {
    number: claim.number,
    title: claim.title,
    policy: claim.policy,
    happened_on: claim.happenedOn,
    submitted_on: claim.submittedOn,
    submitted_at: new Date(claim.submittedAtMs).toISOString(),
    status: claim.status,
    currency: CURRENCY,
    claimed: amountWire(claim.amountMinor),
    excess: amountWire(claim.excessMinor),
    ...(claim.approvedMinor === undefined ? {} : { approved: amountWire(claim.approvedMinor) }),
    ...(claim.paidMinor === undefined ? {} : { paid: amountWire(claim.paidMinor) }),
    ...(claim.paidOn === undefined ? {} : { paid_on: claim.paidOn }),
    your_reference: claim.ownReference,
  };
}
