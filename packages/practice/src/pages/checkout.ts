import { csrfToken, type Exchange, formOf, hasCsrf } from "../http/exchange.ts";
import { type Answer, json, type Reply, redirect } from "../http/reply.ts";
import { NOTE_LENGTH_MAX } from "../limits.ts";
import type { CheckoutChoice } from "../shop/model.ts";
import { placeOrder } from "../shop/orders.ts";
import { currentDeliveries, price } from "../shop/pricing.ts";
import type { Route } from "../shop/route.ts";
import { ADDRESSES, DELIVERIES, INSTRUMENTS } from "../shop/seed.ts";
import { askVerification } from "../shop/verifications.ts";
import { INITIAL_CHOICE, type World } from "../shop/world.ts";
import { type Html, html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";
import { csrfField } from "../site/parts.ts";
import { cartLines } from "./cart.ts";
import { noticePage, shopPage, staleForm } from "./layout.ts";
import { confirmedPage } from "./orders.ts";
import { linesTable } from "./parts.ts";
import { verificationPath } from "./verification.ts";

interface Option {
  readonly id: string;
  readonly text: string;
  readonly detail: string;
}

function radios(legend: string, name: string, chosen: string, options: readonly Option[]): Html {
  return html`<fieldset><legend>${legend}</legend>${options.map(
    (option) => html`
<label class="choice"><input type="radio" name="${name}" value="${option.id}"${option.id === chosen ? html` checked` : undefined} required>
<span>${option.text}<br><span class="small">${option.detail}</span></span></label>`,
  )}</fieldset>`;
}

function showCheckout(world: World, exchange: Exchange): Answer {
  const lines = cartLines(world);
  if (lines.length === 0) return redirect(302, "/cart");
  const changes = world.switches.changes();
  const { choice } = world.state;
  const priced = price(lines, choice.delivery, world.currency, changes);
  const deliveries = currentDeliveries(changes).map((delivery) => ({
    id: delivery.id,
    text: `${delivery.title}, ${formatMoney(delivery.priceMinor, world.currency)}`,
    detail: delivery.promise,
  }));
  const addresses = ADDRESSES.map(({ id, label, lines: rows }) => ({ id, text: label, detail: rows.join(", ") }));
  const instruments = INSTRUMENTS.map(({ id, label }) => ({ id, text: label, detail: world.user.name }));
  const main = html`<h1>Checkout</h1>
<form method="post" action="/checkout" class="checkout" data-checkout>
${csrfField(csrfToken(world, exchange.sid))}
<div class="card">
${radios("Delivery", "delivery", choice.delivery, deliveries)}
${radios("Deliver to", "address", choice.address, addresses)}
${radios("Pay with", "instrument", choice.instrument, instruments)}
<label for="note">Order note (optional)</label>
<textarea id="note" name="note" rows="2" maxlength="${NOTE_LENGTH_MAX}">${choice.note}</textarea>
<button formaction="/checkout/options" data-without-script>Update order summary</button>
</div>
<section class="card" aria-label="Order summary" aria-live="polite">
${linesTable("Order summary", priced)}
<button class="main">Place order</button>
<p class="small">By placing the order you agree to pay the total shown.</p>
</section>
</form>`;
  return shopPage(world, exchange, { title: "Checkout", main });
}

/** The choices of a submitted checkout form; undefined when one is not on offer. */
function readChoice(form: URLSearchParams): CheckoutChoice | undefined {
  const delivery = form.get("delivery") ?? "";
  const address = form.get("address") ?? "";
  const instrument = form.get("instrument") ?? "";
  const note = (form.get("note") ?? "").replaceAll("\r\n", "\n").trim();
  const known =
    DELIVERIES.some(({ id }) => id === delivery) &&
    ADDRESSES.some(({ id }) => id === address) &&
    INSTRUMENTS.some(({ id }) => id === instrument) &&
    note.length <= NOTE_LENGTH_MAX;
  return known ? { delivery, address, instrument, note } : undefined;
}

function badChoice(world: World, exchange: Exchange): Answer {
  return noticePage(world, exchange, {
    status: 422,
    title: "Your order was not placed",
    text: "Please choose a delivery, an address and a card again.",
    href: "/checkout",
    link: "Back to checkout",
  });
}

/** Keeps the choices and answers with the new totals: as JSON to the page's script, by redirect to a plain form. */
function keepChoice(world: World, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const choice = readChoice(formOf(exchange));
  if (!choice) return badChoice(world, exchange);
  // An update that arrives after its order must not leave that order's note and delivery to the next one.
  if (world.state.cart.size === 0) return redirect(303, "/cart");
  world.state.choice = choice;
  if (exchange.headers.accept !== "application/json") return redirect(303, "/checkout");
  const priced = price(cartLines(world), choice.delivery, world.currency, world.switches.changes());
  return json(200, {
    delivery_title: priced.delivery.title,
    delivery: formatMoney(priced.delivery.priceMinor, priced.currency),
    total: formatMoney(priced.totalMinor, priced.currency),
  });
}

function outOfStock(world: World, exchange: Exchange): Answer {
  return noticePage(world, exchange, {
    status: 422,
    title: "Your order was not placed",
    text: "An item in your cart is out of stock. You have not been charged.",
    href: "/cart",
    link: "Back to your cart",
  });
}

/** The commit. The form carries no total: what is charged is the price of this moment. */
function submitOrder(world: World, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const choice = readChoice(formOf(exchange));
  if (!choice) return badChoice(world, exchange);
  const wanted = cartLines(world);
  if (wanted.length === 0) {
    return noticePage(world, exchange, {
      status: 409,
      title: "Your cart is empty",
      text: "There is nothing to order. If you have just placed an order, you find it under Orders.",
      href: "/orders",
      link: "Your orders",
    });
  }
  if (world.switches.take("refuse", { commit: "order" })) return outOfStock(world, exchange);
  const overchargeMinor = world.switches.take("chargeOver")?.deltaMinor ?? 0;
  const wish = { wanted, ...choice, overchargeMinor };
  if (world.switches.take("verifyPayment")) {
    // The shop has taken the cart into the order that waits; it is put back when nothing comes of it.
    const pending = askVerification(world, { wish, cart: [...world.state.cart] });
    world.state.cart.clear();
    const answer = redirect(303, verificationPath(pending));
    return { kind: "committed", commit: "order", answer, landing: () => answer };
  }
  const order = placeOrder(world, wish);
  world.state.cart.clear();
  world.state.choice = INITIAL_CHOICE;
  world.state.counters.orders += 1;
  const answer = redirect(303, `/orders/${order.number}/confirmed`);
  return { kind: "committed", commit: "order", answer, landing: () => confirmedPage(world, exchange, order) };
}

export const checkoutRoutes: readonly Route[] = [
  { method: "GET", path: "/checkout", access: "signed_in", handle: showCheckout },
  { method: "POST", path: "/checkout/options", access: "signed_in", handle: keepChoice },
  { method: "POST", path: "/checkout", access: "signed_in", commit: "order", handle: submitOrder },
];
