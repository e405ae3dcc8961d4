import type { Found } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { assert, err, type Instant, type JsonObject, ok, parseInstant, type Result } from "@countersign/wire";
import { CLOCK_SKEW_MS, KNOWN_ORDERS_MAX } from "./limits.ts";
import { charged, orderResult, type ShopOrder } from "./order.ts";
import { orderWish } from "./wish.ts";

/** What a read-back looks for: saved before anything leaves (lessons U04). */
export interface Fingerprint {
  /** The newest orders that the account had before the submission. */
  readonly knownOrders: readonly string[];
  readonly sku: string;
  readonly quantity: number;
  readonly totalMinor: number;
  readonly currency: string;
  /** By the API: the quote that was ordered. */
  readonly quoteId?: string;
}

const VERSION = 1;

/** @param orders newest first, as the shop lists them. */
export function fingerprintOf(record: ActionRecord, orders: readonly ShopOrder[], quoteId?: string): JsonObject {
  const { sku, quantity } = orderWish(record.parameters as JsonObject);
  const { total_minor: totalMinor, currency } = record.terms as JsonObject;
  assert(typeof totalMinor === "number" && typeof currency === "string", "a record's terms are as the catalogue says");
  return {
    v: VERSION,
    known_orders: orders.slice(0, KNOWN_ORDERS_MAX).map((order) => order.number),
    sku,
    quantity,
    total_minor: totalMinor,
    currency,
    ...(quoteId === undefined ? {} : { quote_id: quoteId }),
  };
}

export function readFingerprint(value: JsonObject): Result<Fingerprint, "unreadable"> {
  const { v, known_orders: known, sku, quantity, total_minor: totalMinor, currency, quote_id: quoteId } = value;
  if (v !== VERSION || !Array.isArray(known)) return err("unreadable");
  const knownOrders = known.filter((number) => typeof number === "string");
  if (knownOrders.length !== known.length || typeof sku !== "string" || typeof quantity !== "number")
    return err("unreadable");
  if (typeof totalMinor !== "number" || typeof currency !== "string") return err("unreadable");
  const quote = typeof quoteId === "string" ? { quoteId } : {};
  return ok({ knownOrders, sku, quantity, totalMinor, currency, ...quote });
}

export type Match = Extract<Found<JsonObject>, { kind: "found" | "unclear" }> | { readonly kind: "none" };

/**
 * Finds one submission's order among those the account shows now. A new order of the same item and quantity is it,
 * whatever it cost: the amount is reported, never a reason to look away. Two of them are one too many to tell apart,
 * even when only one has the approved total, since the shop may have charged ours otherwise (STA-3).
 */
export function findOrder(orders: readonly ShopOrder[], print: Fingerprint, submittedAt: string): Match {
  const submitted = parseInstant(submittedAt);
  assert(submitted.ok, "a submission has its time");
  const fresh = orders.filter((order) => isFresh(order, print, submitted.value));
  const [order, ...others] = fresh.filter((each) => isWanted(each, print));
  if (order === undefined) {
    const touched = fresh.some((each) => each.lines.some((line) => line.sku === print.sku));
    return touched ? { kind: "unclear", why: "a new order holds the item among others" } : { kind: "none" };
  }
  if (others.length > 0) return { kind: "unclear", why: "more than one new order matches" };
  return { kind: "found", confirmation: order.number, result: orderResult(order), observed: charged(order) };
}

function isFresh(order: ShopOrder, print: Fingerprint, submitted: Instant): boolean {
  if (print.knownOrders.includes(order.number)) return false;
  const placed = parseInstant(order.placedAt);
  return placed.ok && placed.value >= submitted - CLOCK_SKEW_MS;
}

function isWanted(order: ShopOrder, print: Fingerprint): boolean {
  const [line, ...others] = order.lines;
  return others.length === 0 && line?.sku === print.sku && line.quantity === print.quantity;
}
