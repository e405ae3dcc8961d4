import type { JsonObject } from "@countersign/wire";

/** An order in the account's history, by whichever route it was read. */
export interface ShopOrder {
  readonly number: string;
  /** RFC 3339. */
  readonly placedAt: string;
  readonly status: string;
  readonly currency: string;
  /** What was charged. */
  readonly totalMinor: number;
  readonly lines: readonly {
    readonly sku: string;
    readonly title: string;
    readonly quantity: number;
    readonly unitMinor: number;
  }[];
}

export const ORDER_NUMBER = /^HH-[0-9]{1,12}$/;

/** The result of `retail.order.submit`. */
export function orderResult(order: ShopOrder): JsonObject {
  return {
    order_number: order.number,
    currency: order.currency,
    total_minor: order.totalMinor,
    placed_at: order.placedAt,
  };
}

/** What the shop says was charged: the gateway compares it with what was approved (decisions.md 10). */
export function charged(order: ShopOrder): JsonObject {
  return { currency: order.currency, total_minor: order.totalMinor };
}

/** A row of `retail.orders.list`. */
export function orderRow(order: ShopOrder): JsonObject {
  return {
    order_number: order.number,
    placed_at: order.placedAt,
    status: order.status.toLowerCase(),
    currency: order.currency,
    total_minor: order.totalMinor,
    lines: order.lines.map((line) => ({
      ref: line.sku,
      title: line.title,
      quantity: line.quantity,
      unit_minor: line.unitMinor,
    })),
  };
}
