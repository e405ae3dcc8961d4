import type { Found } from "@countersign/plugin";
import { err, isJsonObject, type Json, type JsonObject, ok, parseInstant, type Result } from "@countersign/wire";

/** An order as the shop shows it, by whichever route it was read. */
export interface ShopOrder {
  readonly number: string;
  /** RFC 3339. */
  readonly placedAt: string;
  readonly status: string;
  readonly currency: string;
  readonly totalMinor: number;
  readonly lines: readonly {
    readonly sku: string;
    readonly title: string;
    readonly quantity: number;
    readonly unitMinor: number;
  }[];
}

/** What a read-back looks for: saved before anything left (lessons U04). */
export interface OrderFingerprint {
  readonly knownNumbers: readonly string[];
  readonly sku: string;
  readonly quantity: number;
  readonly totalMinor: number;
  readonly currency: string;
}

const NUMBERS_MAX = 500;
const CLOCK_SKEW_MS = 5 * 60_000;

export function toFingerprint(print: OrderFingerprint): JsonObject {
  return {
    v: 1,
    known_numbers: print.knownNumbers.slice(0, NUMBERS_MAX),
    sku: print.sku,
    quantity: print.quantity,
    total_minor: print.totalMinor,
    currency: print.currency,
  };
}

export function readFingerprint(value: JsonObject): Result<OrderFingerprint, "unreadable"> {
  const { v, known_numbers: known, sku, quantity, total_minor: totalMinor, currency } = value;
  const numbers: readonly Json[] = Array.isArray(known) ? known : [];
  if (v !== 1 || !numbers.every((n): n is string => typeof n === "string")) return err("unreadable");
  if (
    typeof sku !== "string" ||
    typeof quantity !== "number" ||
    typeof totalMinor !== "number" ||
    typeof currency !== "string"
  ) {
    return err("unreadable");
  }
  return ok({ knownNumbers: numbers, sku, quantity, totalMinor, currency });
}

/**
 * Finds the order of one submission among all that the account shows now. A new order with the same item and quantity
 * is the one, whatever it cost: the amount is reported, never used to look away. Two of them are one too many to tell.
 */
export function findOrder(
  orders: readonly ShopOrder[],
  print: OrderFingerprint,
  submittedAt: string,
): Exclude<Found<JsonObject>, { kind: "sign_in" | "absent" }> | { readonly kind: "none" } {
  const since = parseInstant(submittedAt);
  if (!since.ok) return { kind: "unclear", why: "the submission's time is unreadable" };
  const fresh = orders.filter((order) => {
    const placed = parseInstant(order.placedAt);
    const recent = placed.ok && placed.value >= since.value - CLOCK_SKEW_MS;
    return (
      recent &&
      !print.knownNumbers.includes(order.number) &&
      order.lines.some((l) => l.sku === print.sku && l.quantity === print.quantity)
    );
  });
  const [order] = fresh;
  if (order === undefined) return { kind: "none" };
  if (fresh.length > 1) return { kind: "unclear", why: "more than one new order matches" };
  return {
    kind: "found",
    confirmation: order.number,
    result: orderResult(order),
    observed: { currency: order.currency, total_minor: order.totalMinor },
  };
}

export function orderResult(order: ShopOrder): JsonObject {
  return {
    order_number: order.number,
    currency: order.currency,
    total_minor: order.totalMinor,
    placed_at: order.placedAt,
  };
}

export function orderRow(order: ShopOrder): JsonObject {
  return {
    order_number: order.number,
    placed_at: order.placedAt,
    status: order.status,
    currency: order.currency,
    total_minor: order.totalMinor,
    lines: order.lines.map((l) => ({ ref: l.sku, title: l.title, quantity: l.quantity, unit_minor: l.unitMinor })),
  };
}

export function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}
