import type { Order, OrderCancellation } from "./model.ts";
import type { World } from "./world.ts";

/** What calling an order off would bring, at this moment. */
export interface CancelTerms {
  readonly paidMinor: number;
  readonly refundMinor: number;
  readonly keptMinor: number;
}

export type CannotCancel = "already_cancelled" | "already_sent";

/** What the shop says of every cancellation, on its page and in its API. */
export const ORDER_CANCEL_CONSEQUENCE = "The refund reaches your card within five working days.";

/** Why an order cannot be called off: what has left the shop can only be sent back. */
export function cannotCancel(order: Order): CannotCancel | undefined {
  if (order.cancellation !== undefined) return "already_cancelled";
  return order.status === "Confirmed" ? undefined : "already_sent";
}

/** The shop keeps its fee, and never more than was paid. */
export function cancelTerms(world: World, order: Order): CancelTerms {
  const keptMinor = Math.min(world.switches.cancelFeeMinor(), order.totalMinor);
  return { paidMinor: order.totalMinor, refundMinor: order.totalMinor - keptMinor, keptMinor };
}

/** A number for whoever asks, before anything is cancelled: it stands with the order afterwards. */
export function requestNumber(world: World): string {
  return numbered(world, "RQ");
}

/**
 * Calls the order off at the terms of this moment. The caller has made sure that it can be.
 * @param requested what the request was named by: the number on the page, or the API client's own reference.
 */
export function cancelOrder(world: World, order: Order, requested: string | undefined): Order {
  const cancellation: OrderCancellation = {
    ...cancelTerms(world, order),
    reference: numbered(world, "CN"),
    cancelledAtMs: world.now(),
    ...(requested === undefined ? {} : { requested }),
  };
  const cancelled: Order = { ...order, status: "Cancelled", cancellation };
  world.state.orders = world.state.orders.map((each) => (each.number === order.number ? cancelled : each));
  return cancelled;
}

function numbered(world: World, prefix: string): string {
  return `${prefix}-${Buffer.from(world.random(5)).toString("hex").toUpperCase()}`;
}
