import type { Exchange } from "../http/exchange.ts";
import { type Answer, json } from "../http/reply.ts";
import { CANCELLATION_CONSEQUENCES, monthlyMinor } from "../shop/membership.ts";
import type { Address, Delivery, Instrument, Membership, Order, OrderCancellation, Priced } from "../shop/model.ts";
import type { World } from "../shop/world.ts";

/** Every error of the API: its code, HTTP status and a sentence for people. */
const API_ERRORS = {
  invalid_request: [400, "The request body is not what this endpoint takes."],
  invalid_credentials: [401, "That email and password do not match."],
  second_factor_required: [401, "Send the one-time code to /api/v1/session/verify."],
  invalid_code: [401, "That code is not right."],
  challenge_expired: [401, "Sign in again."],
  unauthenticated: [401, "Sign in first."],
  not_found: [404, "There is nothing at this address."],
  method_not_allowed: [405, "This method is not possible here."],
  already_cancelled: [409, "The membership is already cancelled."],
  order_already_cancelled: [409, "This order is already cancelled."],
  already_sent: [409, "This order is on its way. Send it back once it has arrived."],
  choose_variant: [409, "This product is sold in variants. Ask for one of them."],
  quote_expired: [410, "Ask for a new quote."],
  verification_pending: [409, "This quote is being ordered; the bank has asked for a code."],
  verification_over: [410, "This verification is over."],
  preview_expired: [410, "Ask for a new preview."],
  too_large: [413, "The request body is too large."],
  out_of_stock: [422, "This item is out of stock. Nothing was charged."],
  wrong_code: [422, "That code is not right. Enter the one your bank has sent."],
  payment_declined: [422, "The bank has declined the payment. Nothing was charged."],
  unknown_sku: [422, "The shop has no such item."],
  cancellation_not_possible: [422, "A payment is being processed. Nothing was cancelled."],
  being_packed: [422, "This order is being packed. Nothing was cancelled."],
  idempotency_key_reused: [422, "This key was used for another request."],
  rate_limited: [429, "Too many attempts."],
  temporarily_unavailable: [503, "Not available at the moment."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type ApiError = keyof typeof API_ERRORS;

/** `{error, message, ...extra}` with the error's own status. */
export function refuseApi(
  error: ApiError,
  extra: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const [status, message] = API_ERRORS[error];
  const challenge: Readonly<Record<string, string>> =
    error === "unauthenticated" ? { "www-authenticate": "Bearer" } : {};
  return json(status, { error, message, ...extra }, { ...challenge, ...headers });
}

/** The bearer token of a request, if it has one. */
export function bearerOf(exchange: Exchange): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(exchange.headers.authorization ?? "")?.[1];
}

export function apiSignedIn(world: World, exchange: Exchange): boolean {
  const token = bearerOf(exchange);
  return token !== undefined && world.state.tokens.get(token, world.now()) !== undefined;
}

export function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function deliveryWire(delivery: Delivery) {
  return { id: delivery.id, title: delivery.title, price_minor: delivery.priceMinor };
}

export function addressWire(address: Address) {
  return { id: address.id, label: address.label, lines: address.lines };
}

export function instrumentWire(instrument: Instrument) {
  return { id: instrument.id, label: instrument.label };
}

export function pricedWire(priced: Priced) {
  return {
    currency: priced.currency,
    lines: priced.lines.map((line) => ({
      sku: line.sku,
      title: line.title,
      quantity: line.quantity,
      unit_minor: line.unitMinor,
      total_minor: line.totalMinor,
    })),
    subtotal_minor: priced.subtotalMinor,
    delivery: deliveryWire(priced.delivery),
    total_minor: priced.totalMinor,
  };
}

export function orderWire(order: Order) {
  return {
    number: order.number,
    placed_at: instant(order.placedAtMs),
    status: order.status.toLowerCase(),
    ...pricedWire(order),
    address: addressWire(order.address),
    instrument: instrumentWire(order.instrument),
    note: order.note,
    ...(order.cancellation && { cancellation: orderCancellationWire(order.cancellation) }),
  };
}

function orderCancellationWire(cancellation: OrderCancellation) {
  return {
    reference: cancellation.reference,
    cancelled_at: instant(cancellation.cancelledAtMs),
    refund_minor: cancellation.refundMinor,
    kept_minor: cancellation.keptMinor,
    ...(cancellation.requested !== undefined && { client_reference: cancellation.requested }),
  };
}

export function membershipWire(membership: Membership, currency: string) {
  const { cancellation } = membership;
  return {
    plan: membership.plan,
    status: cancellation ? "cancelled" : "active",
    price_minor: monthlyMinor(membership),
    currency,
    period: "month",
    paid_until: instant(membership.paidUntilMs),
    ...(cancellation && {
      ends_at: instant(cancellation.endsAtMs),
      cancelled_at: instant(cancellation.cancelledAtMs),
      cancellation_reference: cancellation.reference,
    }),
  };
}

export function previewWire(membership: Membership, currency: string) {
  return {
    plan: membership.plan,
    price_minor: monthlyMinor(membership),
    currency,
    period: "month",
    ends_at: instant(membership.paidUntilMs),
    refund_minor: 0,
    consequences: CANCELLATION_CONSEQUENCES,
  };
}
