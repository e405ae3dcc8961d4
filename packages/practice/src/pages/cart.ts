import { csrfToken, type Exchange, formOf, hasCsrf } from "../http/exchange.ts";
import { type Answer, redirect } from "../http/reply.ts";
import { LINE_QUANTITY_MAX } from "../limits.ts";
import { findItem } from "../shop/catalogue.ts";
import { price, type Wanted } from "../shop/pricing.ts";
import type { Route } from "../shop/route.ts";
import type { World } from "../shop/world.ts";
import { html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";
import { csrfField } from "../site/parts.ts";
import { noticePage, shopPage, staleForm } from "./layout.ts";

/** The cart as lines, in the order of adding. */
export function cartLines(world: World): readonly Wanted[] {
  return [...world.state.cart].map(([sku, quantity]) => ({ sku, quantity }));
}

function showCart(world: World, exchange: Exchange): Answer {
  const priced = price(cartLines(world), world.state.choice.delivery, world.currency, world.switches.changes());
  if (priced.lines.length === 0) {
    const main = html`<div class="card narrow"><h1>Your cart</h1><p>Your cart is empty.</p><p><a href="/">Continue shopping</a></p></div>`;
    return shopPage(world, exchange, { title: "Your cart", main });
  }
  const csrf = csrfField(csrfToken(world, exchange.sid));
  const rows = priced.lines.map(
    (line) => html`<tr><th scope="row">${line.title}<br><span class="small">${line.sku}</span></th>
<td><form method="post" action="/cart/update" class="inline">${csrf}<input type="hidden" name="sku" value="${line.sku}">
<input aria-label="Quantity of ${line.title}" name="quantity" type="number" min="0" max="${LINE_QUANTITY_MAX}" value="${line.quantity}" required>
<button>Update</button></form>
<form method="post" action="/cart/update" class="inline">${csrf}<input type="hidden" name="sku" value="${line.sku}"><input type="hidden" name="quantity" value="0">
<button class="quiet" aria-label="Remove ${line.title}">Remove</button></form></td>
<td>${formatMoney(line.totalMinor, priced.currency)}</td></tr>`,
  );
  const main = html`<h1>Your cart</h1><div class="card">
<table class="cart"><caption class="hidden">Items in your cart</caption>
<thead><tr><th scope="col">Item</th><th scope="col">Quantity</th><th scope="col">Amount</th></tr></thead>
<tbody>${rows}</tbody>
<tfoot><tr class="total"><th scope="row" colspan="2">Subtotal</th><td>${formatMoney(priced.subtotalMinor, priced.currency)}</td></tr></tfoot></table>
<p><a class="button main" href="/checkout">Go to checkout</a></p></div>`;
  return shopPage(world, exchange, { title: "Your cart", main });
}

function refuseLine(world: World, exchange: Exchange, text: string): Answer {
  return noticePage(world, exchange, {
    status: 422,
    title: "Not added to your cart",
    text,
    href: "/",
    link: "Back to the shop",
  });
}

/** Quantities add up with what the cart already holds, as at real shops (browser notes, pitfall 4). */
function addToCart(world: World, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const form = formOf(exchange);
  const item = findItem(world.switches.changes(), form.get("sku") ?? "");
  const quantity = Number(form.get("quantity") ?? "1");
  if (!item) return refuseLine(world, exchange, "We do not have this item.");
  if (item.stock === "sold_out") return refuseLine(world, exchange, `${item.title} is out of stock.`);
  const sum = (world.state.cart.get(item.sku) ?? 0) + quantity;
  if (!Number.isSafeInteger(quantity) || quantity < 1 || sum > LINE_QUANTITY_MAX) {
    return refuseLine(world, exchange, `You can order 1 to ${LINE_QUANTITY_MAX} of an item.`);
  }
  world.state.cart.set(item.sku, sum);
  return redirect(303, "/cart");
}

function updateCart(world: World, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const form = formOf(exchange);
  const sku = form.get("sku") ?? "";
  const quantity = Number(form.get("quantity") ?? "");
  if (!world.state.cart.has(sku)) return redirect(303, "/cart");
  if (!Number.isSafeInteger(quantity) || quantity < 0 || quantity > LINE_QUANTITY_MAX) {
    return refuseLine(world, exchange, `You can order 1 to ${LINE_QUANTITY_MAX} of an item.`);
  }
  if (quantity === 0) world.state.cart.delete(sku);
  else world.state.cart.set(sku, quantity);
  return redirect(303, "/cart");
}

export const cartRoutes: readonly Route[] = [
  { method: "GET", path: "/cart", access: "signed_in", handle: showCart },
  { method: "POST", path: "/cart", access: "signed_in", handle: addToCart },
  { method: "POST", path: "/cart/update", access: "signed_in", handle: updateCart },
];
