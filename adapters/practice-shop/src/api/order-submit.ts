import type { Answer, CommitAdapter, Found, Prepared, Recognised, Step } from "@countersign/plugin";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import { currencyDigits, type Json, type JsonObject, parseJson } from "@countersign/wire";
import { addressOf } from "../shared/identity.ts";
import { findOrder, objectOf, orderResult, readFingerprint, toFingerprint } from "../shared/orders.ts";
import { payeeOf, purchaseTerms } from "../shared/terms.ts";
import { errorCode, orderAnswer, ordersAnswer, type Quote, quoteAnswer, readAnswer, shopOrder } from "./shapes.ts";

const DELIVERY = "standard";
const ORDERS = "/api/v1/orders";
const REFUSALS: ReadonlySet<string> = new Set(["out_of_stock", "quote_expired", "unknown_sku"]);

/** Places an order through the shop's API: a quote is the last screen, `POST /orders` is the commitment. */
export const orderSubmit: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "retail.order.submit",
  commits: [{ method: "POST", path: ORDERS }],

  async prepare(ctx, session, params): Promise<Prepared<JsonObject>> {
    const address = await addressOf(ctx, String(params["fulfillment_ref"]));
    if (address === undefined) return { kind: "gap", why: "the delivery reference is no address of this account" };
    ctx.progress("quote", "Asking the shop for a price");
    const body = {
      sku: params["item_ref"] ?? "",
      quantity: params["quantity"] ?? 0,
      delivery: DELIVERY,
      address: address.siteKey,
    };
    const answer = await session.call({ method: "POST", path: "/api/v1/quotes", body });
    if (answer.status === 422 && REFUSALS.has(errorCode(answer.json) ?? ""))
      return { kind: "gap", why: errorCode(answer.json) ?? "refused" };
    const quote = readAnswer(answer, quoteAnswer, 201);
    if (quote === "signed_out") return { kind: "sign_in" };
    const state = { v: 1, quote_id: quote.quote_id };
    return { kind: "ready", state, ...observed(session.origin, quote, String(params["fulfillment_ref"])) };
  },

  async hold(_ctx, session, record, state) {
    const orders = readAnswer(await session.call({ method: "GET", path: ORDERS }), ordersAnswer, 200);
    if (orders === "signed_out") return { kind: "sign_in" };
    const { parameters, terms } = record;
    const fingerprint = toFingerprint({
      knownNumbers: orders.orders.map((o) => o.number),
      sku: String(parameters["item_ref"]),
      quantity: Number(parameters["quantity"]),
      totalMinor: Number(terms["total_minor"]),
      currency: String(terms["currency"]),
    });
    const headers = { "idempotency-key": await destinationKey(record) };
    const exchange = await session.hold({ method: "POST", path: ORDERS, body: { quote_id: quoteId(state) }, headers });
    return { kind: "done", value: { exchange, fingerprint } };
  },

  async observe(_ctx, session, record, state): Promise<Step<{ terms: JsonObject; personal: Record<string, string> }>> {
    const answer = await session.call({ method: "GET", path: `/api/v1/quotes/${encodeURIComponent(quoteId(state))}` });
    if (answer.status === 410) return { kind: "gap", why: "the shop's quote has run out" };
    const quote = readAnswer(answer, quoteAnswer, 200);
    if (quote === "signed_out") return { kind: "sign_in" };
    return { kind: "done", value: observed(session.origin, quote, String(record.parameters["fulfillment_ref"])) };
  },

  recognise(answer: Answer): Recognised<JsonObject> {
    const json = bodyOf(answer);
    const order = answer.status === 201 ? orderAnswer.safeParse(json) : undefined;
    if (order?.success) {
      const placed = shopOrder(order.data);
      return {
        kind: "confirmed",
        confirmation: placed.number,
        result: orderResult(placed),
        observed: { currency: placed.currency, total_minor: placed.totalMinor },
      };
    }
    const refused = (answer.status === 422 || answer.status === 410) && REFUSALS.has(errorCode(json) ?? "");
    return refused ? { kind: "refused", why: errorCode(json) ?? "refused" } : { kind: "unknown" };
  },

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is unreadable" };
    const orders = readAnswer(await session.call({ method: "GET", path: ORDERS }), ordersAnswer, 200);
    if (orders === "signed_out") return { kind: "sign_in" };
    const found = findOrder(orders.orders.map(shopOrder), print.value, submission.submittedAt);
    return found.kind === "none" ? { kind: "absent" } : found;
  },
};

function observed(
  origin: string,
  quote: Quote,
  fulfillmentRef: string,
): { terms: JsonObject; personal: Record<string, string> } {
  const digits = currencyDigits(quote.currency);
  return {
    terms: purchaseTerms({
      payee: payeeOf(origin),
      currency: quote.currency,
      minorDigits: digits.ok ? digits.value : 0,
      totalMinor: quote.total_minor,
      items: quote.lines.map((l) => ({ sku: l.sku, title: l.title, quantity: l.quantity, unitMinor: l.unit_minor })),
      delivery: { ref: quote.delivery.id, title: quote.delivery.title, priceMinor: quote.delivery.price_minor },
      instrument: quote.instrument.label,
      fulfillmentRef,
    }),
    personal: { ship_to: quote.address.lines.join(", ") },
  };
}

function quoteId(state: JsonObject): string {
  return String(objectOf(state)["quote_id"]);
}

function bodyOf(answer: Answer): Json | undefined {
  const parsed = parseJson(answer.body);
  return parsed.ok ? parsed.value : undefined;
}
