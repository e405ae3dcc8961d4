import type { Exchange } from "../http/exchange.ts";
import type { Answer } from "../http/reply.ts";
import type { Order } from "../shop/model.ts";
import { cannotCancel } from "../shop/order-cancel.ts";
import { newestFirst } from "../shop/orders.ts";
import type { Route } from "../shop/route.ts";
import type { World } from "../shop/world.ts";
import { type Html, html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";
import { moment } from "../site/parts.ts";
import { noticePage, shopPage } from "./layout.ts";
import { linesTable } from "./parts.ts";

function cancelledFacts(order: Order): Html | undefined {
  const { cancellation } = order;
  if (cancellation === undefined) return undefined;
  const { cancelledAtMs, refundMinor, keptMinor, reference, requested } = cancellation;
  return html`<div><dt>Cancelled</dt><dd>${moment(cancelledAtMs)}</dd></div>
<div><dt>Paid back</dt><dd>${formatMoney(refundMinor, order.currency)}</dd></div>
<div><dt>Kept</dt><dd>${formatMoney(keptMinor, order.currency)}</dd></div>
<div><dt>Cancellation</dt><dd>${reference}</dd></div>
${requested === undefined ? undefined : html`<div><dt>Request number</dt><dd>${requested}</dd></div>`}`;
}

function facts(order: Order): Html {
  return html`<dl>
<div><dt>Placed</dt><dd>${moment(order.placedAtMs)}</dd></div>
<div><dt>Status</dt><dd>${order.status}</dd></div>
<div><dt>Charged</dt><dd>${formatMoney(order.totalMinor, order.currency)}</dd></div>
<div><dt>Paid with</dt><dd>${order.instrument.label}</dd></div>
${cancelledFacts(order)}
<div><dt>Delivered to</dt><dd>${order.address.label}: ${order.address.lines.join(", ")}</dd></div>
${order.note === "" ? undefined : html`<div><dt>Order note</dt><dd>${order.note}</dd></div>`}
</dl>`;
}

function orderArticle(order: Order): Html {
  const id = `order-${order.number}`;
  return html`<article class="card" aria-labelledby="${id}">
<h2 id="${id}"><a href="/orders/${order.number}">Order ${order.number}</a></h2>
${facts(order)}${linesTable(`Lines of ${order.number}`, order)}</article>`;
}

function showOrders(world: World, exchange: Exchange): Answer {
  const main = html`<h1>Your orders</h1>${newestFirst(world.state.orders).map(orderArticle)}`;
  return shopPage(world, exchange, { title: "Your orders", main });
}

export function unknownOrder(world: World, exchange: Exchange): Answer {
  return noticePage(world, exchange, {
    status: 404,
    title: "No such order",
    text: "You have no order with this number.",
    href: "/orders",
    link: "Your orders",
  });
}

export function orderAt(world: World, number: string | undefined): Order | undefined {
  return world.state.orders.find((order) => order.number === number);
}

export function orderPage(world: World, exchange: Exchange, order: Order): Answer {
  const main = html`<h1>Order ${order.number}</h1><div class="card">${facts(order)}${linesTable(`Lines of ${order.number}`, order)}
${cannotCancel(order) === undefined ? html`<p><a class="button" href="/orders/${order.number}/cancel">Cancel this order</a></p>` : undefined}</div>`;
  return shopPage(world, exchange, { title: `Order ${order.number}`, main });
}

function showOrder(world: World, exchange: Exchange): Answer {
  const order = orderAt(world, exchange.params["number"]);
  return order ? orderPage(world, exchange, order) : unknownOrder(world, exchange);
}

/** The page a placed order leads to. */
export function confirmedPage(world: World, exchange: Exchange, order: Order): Answer {
  const main = html`<h1>Thank you, your order is placed</h1><div class="card">
<p>Your order number is <strong>${order.number}</strong>.</p>
${facts(order)}${linesTable(`Lines of ${order.number}`, order)}
<p><a href="/orders">Your orders</a></p></div>`;
  return shopPage(world, exchange, { title: `Order ${order.number} placed`, main });
}

function showConfirmed(world: World, exchange: Exchange): Answer {
  const order = orderAt(world, exchange.params["number"]);
  return order ? confirmedPage(world, exchange, order) : unknownOrder(world, exchange);
}

export const orderRoutes: readonly Route[] = [
  { method: "GET", path: "/orders", access: "signed_in", readBack: "read_back", handle: showOrders },
  { method: "GET", path: "/orders/:number", access: "signed_in", readBack: "read_back", handle: showOrder },
  { method: "GET", path: "/orders/:number/confirmed", access: "signed_in", handle: showConfirmed },
];
