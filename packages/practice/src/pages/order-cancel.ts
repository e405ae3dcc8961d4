import { csrfToken, type Exchange, formOf, hasCsrf } from "../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../http/reply.ts";
import type { Order } from "../shop/model.ts";
import {
  cancelOrder,
  cancelTerms,
  cannotCancel,
  ORDER_CANCEL_CONSEQUENCE,
  requestNumber,
} from "../shop/order-cancel.ts";
import type { Route } from "../shop/route.ts";
import type { World } from "../shop/world.ts";
import { html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";
import { csrfField } from "../site/parts.ts";
import { noticePage, shopPage, staleForm } from "./layout.ts";
import { orderAt, orderPage, unknownOrder } from "./orders.ts";

const REQUEST_NUMBER = /^RQ-[0-9A-F]{10}$/;

/** The last page before an order is called off: what comes back, what the shop keeps, and the number of the request. */
function showCancel(world: World, exchange: Exchange): Answer {
  const order = orderAt(world, exchange.params["number"]);
  if (!order) return unknownOrder(world, exchange);
  const refused = refusal(world, exchange, order);
  if (refused) return refused;
  const { paidMinor, refundMinor, keptMinor } = cancelTerms(world, order);
  const money = (amountMinor: number) => formatMoney(amountMinor, order.currency);
  const request = requestNumber(world);
  const main = html`<div class="card narrow"><h1>Cancel order ${order.number}</h1>
<dl>
<div><dt>You paid</dt><dd>${money(paidMinor)}</dd></div>
<div><dt>We keep</dt><dd>${money(keptMinor)}</dd></div>
<div><dt>You get back</dt><dd>${money(refundMinor)}</dd></div>
<div><dt>Paid back to</dt><dd>${order.instrument.label}</dd></div>
<div><dt>Request number</dt><dd>${request}</dd></div>
</dl>
<table><caption>What is cancelled</caption>
<thead><tr><th scope="col">Item</th><th scope="col">SKU</th><th scope="col">Quantity</th></tr></thead>
<tbody>${order.lines.map(
    (line) => html`<tr><th scope="row">${line.title}</th><td>${line.sku}</td><td>${line.quantity}</td></tr>`,
  )}</tbody></table>
<p role="note">${ORDER_CANCEL_CONSEQUENCE}</p>
<form method="post" action="/orders/cancel" data-once>${csrfField(csrfToken(world, exchange.sid))}
<input type="hidden" name="number" value="${order.number}"><input type="hidden" name="request" value="${request}">
<button class="main">Cancel this order</button></form>
<p><a href="/orders/${order.number}">Keep my order</a></p></div>`;
  return shopPage(world, exchange, { title: `Cancel order ${order.number}`, main });
}

/** The commit. */
function submitCancel(world: World, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const form = formOf(exchange);
  const order = orderAt(world, form.get("number") ?? undefined);
  if (!order) return unknownOrder(world, exchange);
  const refused = refusal(world, exchange, order);
  if (refused) return refused;
  if (world.switches.take("refuse", { commit: "order_cancellation" }))
    return noticePage(world, exchange, {
      status: 422,
      title: "Your order was not cancelled",
      text: "It is being packed at this moment.",
      href: `/orders/${order.number}`,
      link: "Your order",
    });
  const request = form.get("request") ?? "";
  const cancelled = cancelOrder(world, order, REQUEST_NUMBER.test(request) ? request : undefined);
  world.state.counters.orderCancels += 1;
  return {
    kind: "committed",
    commit: "order_cancellation",
    answer: redirect(303, `/orders/${order.number}`),
    landing: () => orderPage(world, exchange, cancelled),
  };
}

function refusal(world: World, exchange: Exchange, order: Order): Answer | undefined {
  const why = cannotCancel(order);
  if (why === undefined) return undefined;
  const sent = why === "already_sent";
  return noticePage(world, exchange, {
    status: 409,
    title: sent ? "This order is on its way" : "This order is already cancelled",
    text: sent ? "It cannot be cancelled any more. Send it back once it has arrived." : "There is nothing to cancel.",
    href: `/orders/${order.number}`,
    link: "Your order",
  });
}

export const orderCancelRoutes: readonly Route[] = [
  { method: "GET", path: "/orders/:number/cancel", access: "signed_in", handle: showCancel },
  {
    method: "POST",
    path: "/orders/cancel",
    access: "signed_in",
    commit: "order_cancellation",
    handle: submitCancel,
  },
];
