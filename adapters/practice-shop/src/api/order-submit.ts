import type { Answer, CommitAdapter, Recognised } from "@countersign/plugin";
import { answerJson } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import type { JsonObject } from "@countersign/wire";
import { readChoice } from "../shared/choice.ts";
import { findOrder, fingerprintOf, readFingerprint } from "../shared/fingerprint.ts";
import { purchaseTermsOf } from "../shared/terms.ts";
import { addressOf, orderWish } from "../shared/wish.ts";
import { ORDERS, readOrders } from "./orders.ts";
import { askQuote, firstWish, lookAtQuote, openQuote, quoteState } from "./quote.ts";
import { errorCode } from "./shapes.ts";
import { bankCode, demandState, placed, verificationShape } from "./verification.ts";

/** The quote that a session's held request orders, for the observation that follows: it may not be the prepared one. */
const heldQuotes = new WeakMap<HttpSession, string>();

/** Places an order through the shop's API: a quote is the last screen, `POST /api/v1/orders` the commitment. */
export const orderSubmit: CommitAdapter<JsonObject, unknown, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "retail.order.submit",
  commits: [{ method: "POST", path: ORDERS }],

  async prepare(ctx, session, params) {
    const wish = orderWish(params);
    const address = await addressOf(ctx, wish);
    if (!address.ok) return address.reason;
    ctx.progress("quote", "Asking the shop for its price");
    const quote = await askQuote(session, firstWish(wish, address.value));
    if (!quote.ok) return quote.reason;
    const observed = purchaseTermsOf(session.origin, quote.value.checkout, wish.fulfillmentRef);
    return { kind: "ready", state: quoteState(quote.value), ...observed };
  },

  async hold(_ctx, session, record, state) {
    const choice = readChoice(state);
    if (!choice.ok) return choice.reason;
    const orders = await readOrders(session);
    if (!orders.ok) return orders.reason;
    const quote = await openQuote(session, orderWish(record.parameters as JsonObject), choice.value);
    if (!quote.ok) return quote.reason;
    const { quoteId } = quote.value;
    heldQuotes.set(session, quoteId);
    const exchange = await session.hold(ORDERS, {
      method: "POST",
      body: { quote_id: quoteId },
      headers: { "idempotency-key": await destinationKey(record) },
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, orders.value, quoteId) } };
  },

  async observe(_ctx, session, record, state) {
    const choice = readChoice(state);
    if (!choice.ok) return choice.reason;
    const quoteId = heldQuotes.get(session) ?? choice.value.quoteId ?? "";
    const quote = await lookAtQuote(session, quoteId);
    if (!quote.ok) return quote.reason;
    if (quote.value === undefined) return { kind: "gap", why: "the shop's quote has run out" };
    const { fulfillmentRef } = orderWish(record.parameters as JsonObject);
    return { kind: "done", value: purchaseTermsOf(session.origin, quote.value.checkout, fulfillmentRef) };
  },

  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const json = answerJson(answer);
    if (answer.status === 201) return withConfirmation(placed(json, record), answer.body);
    const demand = answer.status === 202 ? verificationShape.safeParse(json) : undefined;
    if (demand?.success) return { kind: "verify", state: demandState(demand.data) };
    const code = json === undefined ? undefined : errorCode({ json });
    if (answer.status === 422 && code === "out_of_stock") return { kind: "refused", why: "the item is sold out" };
    if (answer.status === 410 && code === "quote_expired")
      return { kind: "refused", why: "the shop's quote has run out" };
    return { kind: "unknown" };
  },

  verification: bankCode,

  trace(record, state) {
    const choice = readChoice(state);
    return fingerprintOf(record, [], choice.ok ? choice.value.quoteId : undefined);
  },

  async readBack(_ctx, session, submission) {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const orders = await readOrders(session);
    if (!orders.ok)
      return orders.reason.kind === "sign_in" ? orders.reason : { kind: "unclear", why: orders.reason.why };
    const match = findOrder(orders.value, print.value, submission.submittedAt);
    if (match.kind !== "none") return match;
    // A list without the order is only half of it: the quote must also still stand there to be ordered (STA-4).
    const quote = await lookAtQuote(session, print.value.quoteId ?? "");
    if (!quote.ok) return quote.reason.kind === "sign_in" ? quote.reason : { kind: "unclear", why: quote.reason.why };
    if (quote.value !== undefined) return { kind: "absent" };
    // The quote is gone: ordered since the list was read, or run out, and then nothing can come of it any more.
    const since = await readOrders(session);
    if (!since.ok) return since.reason.kind === "sign_in" ? since.reason : { kind: "unclear", why: since.reason.why };
    const late = findOrder(since.value, print.value, submission.submittedAt);
    return late.kind === "none" ? { kind: "absent" } : late;
  },
};

/** The shop's own confirmation, byte for byte: it is the merchant's record, not the gateway's (REC-3). */
function withConfirmation(found: Recognised<JsonObject>, bytes: Uint8Array): Recognised<JsonObject> {
  if (found.kind !== "confirmed") return found;
  const record = { kind: "order_confirmation", mediaType: "application/json", bytes, signatureChecked: false };
  return { ...found, records: [record] };
}
