import { SiteTrouble } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { assert, currencyDigits, type JsonObject } from "@countersign/wire";
import { hostOf } from "./terms.ts";

export const NO_SUCH_ORDER = "the account has no such order";
export const ORDER_SENT = "the order is on its way already; it can be sent back, but not cancelled";
export const ORDER_CANCELLED = "the order is cancelled already";
export const STATE_VERSION = 1;

/** What the shop says that a cancellation brings, by whichever route it was read. */
export interface OrderCancelPreview {
  readonly number: string;
  readonly currency: string;
  readonly paidMinor: number;
  readonly refundMinor: number;
  readonly keptMinor: number;
  readonly refundTo: string;
  readonly consequence: string;
  readonly lines: readonly { readonly sku: string; readonly title: string; readonly quantity: number }[];
}

/** An order that has been called off, as the account shows it. */
export interface CancelledOrder {
  readonly number: string;
  readonly currency: string;
  readonly reference: string;
  readonly refundMinor: number;
  readonly keptMinor: number;
  /** What the request was named by. */
  readonly requested?: string;
}

export function orderNumber(params: JsonObject): string {
  const { order_number: number } = params;
  assert(typeof number === "string", "parameters are as the catalogue says");
  return number;
}

/** The terms of `retail.order.cancel`. */
export function orderCancelTerms(origin: string, preview: OrderCancelPreview): JsonObject {
  const digits = currencyDigits(preview.currency);
  if (!digits.ok) throw new SiteTrouble("the shop names a currency that is none");
  return {
    shop: hostOf(origin),
    order_number: preview.number,
    currency: preview.currency,
    minor_digits: digits.value,
    paid_minor: preview.paidMinor,
    refund_minor: preview.refundMinor,
    kept_minor: preview.keptMinor,
    refund_to: preview.refundTo,
    lines: preview.lines.map(({ sku, title, quantity }) => ({ ref: sku, title, quantity })),
    consequence: preview.consequence,
  };
}

/** What the shop did: its number for it, the result, and what came of the money. */
export function cancelledOutcome(order: CancelledOrder) {
  return {
    confirmation: order.reference,
    result: {
      order_number: order.number,
      cancellation_ref: order.reference,
      currency: order.currency,
      refund_minor: order.refundMinor,
    },
    observed: {
      order_number: order.number,
      currency: order.currency,
      refund_minor: order.refundMinor,
      kept_minor: order.keptMinor,
    },
  };
}

/** What a read-back looks for: the order, and what our request was named by where the route could name it. */
export function cancelPrint(record: ActionRecord, requested?: string): JsonObject {
  const order = orderNumber(record.parameters as JsonObject);
  return { v: STATE_VERSION, order_number: order, ...(requested === undefined ? {} : { requested }) };
}

export function readCancelPrint(
  print: JsonObject,
): { readonly number: string; readonly requested?: string } | undefined {
  const { v, order_number: number, requested } = print;
  if (v !== STATE_VERSION || typeof number !== "string") return undefined;
  return { number, ...(typeof requested === "string" ? { requested } : {}) };
}
