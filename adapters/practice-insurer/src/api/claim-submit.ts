import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  answerJson,
  gap,
  isJsonObject,
  type JsonObject,
  ok,
  SiteTrouble,
  wantsSignIn,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import {
  type ClaimWish,
  claimTerms,
  claimWish,
  confirmationOf,
  isWanted,
  type Matched,
  match,
  ownReference,
  possible,
} from "../shared/claim.ts";
import { type Fingerprint, fingerprintOf, readFingerprint, traceOf } from "../shared/fingerprint.ts";
import { bodyOf, claimsShape, problemCode, type Quote, quoteShape, sessionShape, takenShape } from "./shapes.ts";

const CLAIMS = "/api/claims";
const QUOTES = "/api/claim-quotes";
const STATE = { v: 1 };

/** The quote that a session's held request uses, for the observation that follows. */
const heldQuotes = new WeakMap<HttpSession, string>();

/** Why the insurer will not take it, in words for whoever asked. Anything else that it says is trouble. */
const GAPS: Readonly<Record<string, string>> = {
  unknown_policy: "the insurer has no such policy here",
  day_not_covered: "the policy did not run on that day",
  day_to_come: "the day is still to come",
  below_excess: "the amount is not above what the person bears themselves",
  above_limit: "the amount is above what the policy covers",
  invalid_request: "the insurer does not take this claim",
};

/** What ends a submission for certain: the insurer says in its own form that nothing was submitted. */
const REFUSALS: Readonly<Record<string, readonly [status: number, why: string]>> = {
  claim_refused: [422, "the insurer does not take this claim online"],
  below_excess: [422, "the amount is not above what the person bears themselves any more"],
  day_not_covered: [422, "the policy did not run on that day"],
  quote_expired: [410, "the insurer's quote has run out"],
};

/** Claims by the API of the insurer's own app: a quote is the last screen, `POST /api/claims` the commitment. */
export const claimSubmit: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "insurance.claim.submit",
  commits: [{ method: "POST", path: CLAIMS }],

  async prepare(ctx, session, params) {
    const wish = possible(claimWish(params));
    if (!wish.ok) return wish.reason;
    ctx.progress("quote", "Asking the insurer what it would pay");
    const asked = await askQuote(session, wish.value, "");
    if (!asked.ok) return asked.reason;
    return { kind: "ready", state: STATE, ...claimTerms(session.origin, asked.value.quote.offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    // A quote of its own, which carries the task's mark: the prepared one belongs to nobody.
    const asked = await askQuote(session, claimWish(record.parameters as JsonObject), ownReference(record));
    if (!asked.ok) return asked.reason;
    const { quote, csrf } = asked.value;
    heldQuotes.set(session, quote.quote);
    const exchange = await session.hold(CLAIMS, {
      method: "POST",
      body: { quote: quote.quote },
      headers: { "idempotency-key": await destinationKey(record), "x-csrf-token": csrf },
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, { quote: quote.quote }) } };
  },

  async observe(_ctx, session, record) {
    const held = heldQuotes.get(session);
    if (held === undefined) {
      const asked = await askQuote(session, claimWish(record.parameters as JsonObject), "");
      return asked.ok ? { kind: "done", value: claimTerms(session.origin, asked.value.quote.offer) } : asked.reason;
    }
    const quote = await lookAtQuote(session, held);
    if (!quote.ok) return quote.reason;
    if (quote.value === undefined) return { kind: "gap", why: "the insurer's quote has run out" };
    return { kind: "done", value: claimTerms(session.origin, quote.value.offer) };
  },

  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const json = answerJson(answer);
    if (answer.status === 201) {
      const taken = takenShape.safeParse(json);
      // A claim of another kind is no confirmation of this one: the insurer is read back.
      if (!taken.success || !isWanted(taken.data, record)) return { kind: "unknown" };
      if (taken.data.ownReference !== ownReference(record)) return { kind: "unknown" };
      const bytes = { kind: "claim_confirmation", mediaType: "application/json", bytes: answer.body };
      return { kind: "confirmed", ...confirmationOf(taken.data), records: [{ ...bytes, signatureChecked: false }] };
    }
    const code = json === undefined || !isJsonObject(json) ? undefined : problemCode({ json });
    const refusal = code !== undefined && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
    return refusal !== undefined && refusal[0] === answer.status
      ? { kind: "refused", why: refusal[1] }
      : { kind: "unknown" };
  },

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const { record } = submission;
    const first = await look(session, print.value, record);
    if (first.kind !== "none") return first;
    if (print.value.quote === undefined) return { kind: "absent" };
    // A list without the claim is only half of it: a quote that is used is gone (STA-4).
    const quote = await lookAtQuote(session, print.value.quote);
    if (!quote.ok) return quote.reason.kind === "sign_in" ? quote.reason : { kind: "unclear", why: quote.reason.why };
    if (quote.value !== undefined) return { kind: "absent" };
    // Used since the list was read, or run out, and then nothing can come of it any more.
    const late = await look(session, print.value, record);
    return late.kind === "none" ? { kind: "absent" } : late;
  },
};

/** The token that the insurer wants of whatever changes something; it belongs to the session's cookie of this moment. */
async function askQuote(
  session: HttpSession,
  wish: ClaimWish,
  own: string,
): Promise<Attempt<{ readonly quote: Quote; readonly csrf: string }>> {
  const began = bodyOf(await session.fetch("/api/session"), 200, sessionShape);
  if (!began.ok) return began;
  const csrf = began.value.csrf_token;
  const answer = await session.fetch(QUOTES, {
    method: "POST",
    body: {
      policy: wish.policyRef,
      happened_on: wish.incidentOn,
      claimed: decimalOf(wish),
      currency: wish.currency,
      description: wish.description,
      your_reference: own,
    },
    headers: { "x-csrf-token": csrf },
  });
  if (answer.kind === "signed_out") return wantsSignIn();
  const code = problemCode(answer);
  const why = code !== undefined && Object.hasOwn(GAPS, code) ? GAPS[code] : undefined;
  if (why !== undefined && (answer.status === 400 || answer.status === 422)) return gap(why);
  const quote = bodyOf(answer, 201, quoteShape);
  if (!quote.ok) return quote;
  const { offer } = quote.value;
  // The person answers for every word: what the insurer does not keep as it was said is not submitted.
  if (offer.description !== wish.description) return gap("the insurer does not keep the text as it is");
  if (offer.ownReference !== own) throw new SiteTrouble("the insurer did not keep the reference");
  return ok({ quote: quote.value, csrf });
}

/** The quote at the excess of this moment; undefined once it has run out or was used. */
async function lookAtQuote(session: HttpSession, quote: string): Promise<Attempt<Quote | undefined>> {
  const answer = await session.fetch(`${QUOTES}/${encodeURIComponent(quote)}`);
  if (answer.kind === "answer" && answer.status === 410 && problemCode(answer) === "quote_expired")
    return ok(undefined);
  if (answer.kind === "answer" && answer.status === 422) {
    const code = problemCode(answer);
    if (code !== undefined && Object.hasOwn(GAPS, code)) return gap(GAPS[code] ?? "");
  }
  return bodyOf(answer, 200, quoteShape);
}

async function look(session: HttpSession, print: Fingerprint, record: ActionRecord): Promise<Matched> {
  const query = print.alike ? "" : `?your_reference=${encodeURIComponent(print.ownReference)}`;
  const claims = bodyOf(await session.fetch(`${CLAIMS}${query}`), 200, claimsShape);
  if (!claims.ok) return claims.reason.kind === "sign_in" ? claims.reason : { kind: "unclear", why: claims.reason.why };
  return match(claims.value, print, record);
}

/** The insurer takes amounts as decimal texts with two digits: "840.00". */
function decimalOf({ claimedMinor }: ClaimWish): string {
  const digits = String(claimedMinor).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
