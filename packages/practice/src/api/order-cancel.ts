import { parseObject } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Answer, json, type Reply } from "../http/reply.ts";
import { CLIENT_REFERENCE_LENGTH_MAX } from "../limits.ts";
import type { Order } from "../shop/model.ts";
import { cancelOrder, cancelTerms, cannotCancel, ORDER_CANCEL_CONSEQUENCE } from "../shop/order-cancel.ts";
import type { World } from "../shop/world.ts";
import { underKey } from "../site/idempotency.ts";
import { orderWire, refuseApi } from "./wire.ts";

/** What cancelling this order now would bring; commits nothing. */
export function previewOrderCancel(world: World, exchange: Exchange): Answer {
  const order = orderNumbered(world, exchange.params["number"]);
  if (order === undefined) return refuseApi("not_found");
  const refused = refusal(order);
  if (refused) return refused;
  const { paidMinor, refundMinor, keptMinor } = cancelTerms(world, order);
  return json(200, {
    number: order.number,
    currency: order.currency,
    paid_minor: paidMinor,
    refund_minor: refundMinor,
    kept_minor: keptMinor,
    refund_to: order.instrument.label,
    consequence: ORDER_CANCEL_CONSEQUENCE,
    lines: order.lines.map(({ sku, title, quantity }) => ({ sku, title, quantity })),
  });
}

/** The commit. `client_reference` is the caller's own name for its request, and stands with the order afterwards. */
export function submitOrderCancel(world: World, exchange: Exchange): Reply {
  const { number, client_reference: requested } = parseObject(exchange.body) ?? {};
  const isReference =
    requested === undefined ||
    (typeof requested === "string" && requested !== "" && requested.length <= CLIENT_REFERENCE_LENGTH_MAX);
  if (typeof number !== "string" || !isReference) return refuseApi("invalid_request");
  return underKey(world, exchange, refuseApi, () => {
    const order = orderNumbered(world, number);
    if (order === undefined) return refuseApi("not_found");
    const refused = refusal(order);
    if (refused) return refused;
    if (world.switches.take("refuse", { commit: "order_cancellation" })) return refuseApi("being_packed");
    const cancelled = cancelOrder(world, order, typeof requested === "string" ? requested : undefined);
    world.state.counters.orderCancels += 1;
    const answer = json(201, orderWire(cancelled));
    return { kind: "committed", commit: "order_cancellation", answer, landing: () => answer };
  });
}

function orderNumbered(world: World, number: string | undefined): Order | undefined {
  return world.state.orders.find((order) => order.number === number);
}

function refusal(order: Order): Answer | undefined {
  const why = cannotCancel(order);
  if (why === undefined) return undefined;
  return refuseApi(why === "already_sent" ? "already_sent" : "order_already_cancelled");
}
