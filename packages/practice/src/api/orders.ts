import { parseObject } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Answer, json, type Reply } from "../http/reply.ts";
import { LINE_QUANTITY_MAX, NOTE_LENGTH_MAX, QUOTE_MS } from "../limits.ts";
import { findItem } from "../shop/catalogue.ts";
import { addressOf, instrumentOf, newestFirst, placeOrder } from "../shop/orders.ts";
import { price } from "../shop/pricing.ts";
import { ADDRESSES, DELIVERIES, INSTRUMENTS } from "../shop/seed.ts";
import { askVerification, pendingVerifications } from "../shop/verifications.ts";
import { INITIAL_CHOICE, type Quote, type World } from "../shop/world.ts";
import { underKey } from "../site/idempotency.ts";
import { randomToken } from "../site/random.ts";
import { verificationRequired } from "./verifications.ts";
import { addressWire, instant, instrumentWire, orderWire, pricedWire, refuseApi } from "./wire.ts";

function quoteWire(world: World, quoteId: string, quote: Quote) {
  return {
    quote_id: quoteId,
    expires_at: instant(quote.expiresAtMs),
    ...pricedWire(price([quote], quote.delivery, world.currency, world.switches.changes())),
    address: addressWire(addressOf(quote.address)),
    instrument: instrumentWire(instrumentOf(quote.instrument)),
  };
}

/** One of the offered ids, the preselected one when absent, undefined when unknown. */
function chosen(offered: readonly { readonly id: string }[], value: unknown, preselected: string): string | undefined {
  if (value === undefined) return preselected;
  return offered.find(({ id }) => id === value)?.id;
}

export function makeQuote(world: World, exchange: Exchange): Answer {
  const body = parseObject(exchange.body);
  const { sku, quantity } = body ?? {};
  const delivery = chosen(DELIVERIES, body?.["delivery"], INITIAL_CHOICE.delivery);
  const address = chosen(ADDRESSES, body?.["address"], INITIAL_CHOICE.address);
  const instrument = chosen(INSTRUMENTS, body?.["instrument"], INITIAL_CHOICE.instrument);
  if (!delivery || !address || !instrument || typeof sku !== "string" || typeof quantity !== "number") {
    return refuseApi("invalid_request");
  }
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > LINE_QUANTITY_MAX)
    return refuseApi("invalid_request");
  const item = findItem(world.switches.changes(), sku);
  if (!item) return refuseApi("unknown_sku");
  if (item.stock === "sold_out") return refuseApi("out_of_stock", { sku });
  const quoteId = `q_${randomToken(world.random)}`;
  const quote = { sku, quantity, delivery, address, instrument, expiresAtMs: world.now() + QUOTE_MS };
  world.state.quotes.put(quoteId, quote, quote.expiresAtMs);
  return json(201, quoteWire(world, quoteId, quote), { location: `/api/v1/quotes/${quoteId}` });
}

/** The quote at the prices of this moment: a quote holds the wish, not the price. */
export function showQuote(world: World, exchange: Exchange): Answer {
  const quoteId = exchange.params["quote"] ?? "";
  // A quote that is being ordered is not on offer: whoever looks must not think that nothing has happened.
  if (pendingVerifications(world).some((pending) => pending.quoteId === quoteId))
    return refuseApi("verification_pending");
  const quote = world.state.quotes.get(quoteId, world.now());
  return quote ? json(200, quoteWire(world, quoteId, quote)) : refuseApi("quote_expired");
}

/**
 * The commit. Without an Idempotency-Key a repeat places a second order from the same quote: that is how a
 * destination with no protection of its own behaves, and what a gateway must not rely on.
 */
export function submitQuote(world: World, exchange: Exchange): Reply {
  const body = parseObject(exchange.body);
  const { quote_id: quoteId, note = "" } = body ?? {};
  if (typeof quoteId !== "string" || typeof note !== "string" || note.length > NOTE_LENGTH_MAX) {
    return refuseApi("invalid_request");
  }
  return underKey(world, exchange, refuseApi, () => {
    const quote = world.state.quotes.get(quoteId, world.now());
    if (!quote) return refuseApi("quote_expired");
    if (world.switches.take("refuse", { commit: "order" })) return refuseApi("out_of_stock", { sku: quote.sku });
    const overchargeMinor = world.switches.take("chargeOver")?.deltaMinor ?? 0;
    const wish = { ...quote, wanted: [quote], note, overchargeMinor };
    if (world.switches.take("verifyPayment")) {
      const required = verificationRequired(askVerification(world, { wish, quoteId }));
      return { kind: "committed", commit: "order", answer: required, landing: () => required };
    }
    const order = placeOrder(world, wish);
    world.state.counters.orders += 1;
    const answer = json(201, orderWire(order), { location: `/api/v1/orders/${order.number}` });
    return { kind: "committed", commit: "order", answer, landing: () => answer };
  });
}

export function listOrders(world: World): Answer {
  return json(200, { orders: newestFirst(world.state.orders).map(orderWire) });
}

export function showOrder(world: World, exchange: Exchange): Answer {
  const order = world.state.orders.find(({ number }) => number === exchange.params["number"]);
  return order ? json(200, orderWire(order)) : refuseApi("not_found");
}
