import { csrfToken, type Exchange, formOf, hasCsrf } from "../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../http/reply.ts";
import { instrumentOf } from "../shop/orders.ts";
import type { Route } from "../shop/route.ts";
import { findVerification, type PaymentVerification, tryCode } from "../shop/verifications.ts";
import type { World } from "../shop/world.ts";
import { html } from "../site/html.ts";
import { alert, csrfField } from "../site/parts.ts";
import { noticePage, shopPage, staleForm } from "./layout.ts";

export function verificationPath(verification: PaymentVerification): string {
  return `/checkout/verification/${verification.id}`;
}

/** The bank's own page in a real shop; here one of the shop's pages plays it. */
function codePage(world: World, exchange: Exchange, verification: PaymentVerification, problem?: string): Answer {
  const main = html`<div class="card narrow"><h1>Confirm your payment</h1>
<p>Your bank has sent a code to your phone. Enter it to pay with ${instrumentOf(verification.wish.instrument).label}.</p>
${problem === undefined ? undefined : alert(problem)}
<form method="post" action="${verificationPath(verification)}">
${csrfField(csrfToken(world, exchange.sid))}
<label for="code">Code from your bank</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus>
<button class="main">Confirm payment</button>
</form></div>`;
  return shopPage(world, exchange, { title: "Confirm your payment", main, status: problem === undefined ? 200 : 422 });
}

function overPage(world: World, exchange: Exchange, verification: PaymentVerification | undefined): Answer {
  if (verification?.order) return redirect(303, `/orders/${verification.order.number}/confirmed`);
  return noticePage(world, exchange, {
    status: 422,
    title: "Your order was not placed",
    text: "Your bank has not confirmed the payment. You have not been charged.",
    href: "/cart",
    link: "Back to your cart",
  });
}

function verificationOf(world: World, exchange: Exchange): PaymentVerification | undefined {
  return findVerification(world, exchange.params["verification"] ?? "");
}

function show(world: World, exchange: Exchange): Answer {
  const found = verificationOf(world, exchange);
  return found?.status === "pending" ? codePage(world, exchange, found) : overPage(world, exchange, found);
}

function take(world: World, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const found = verificationOf(world, exchange);
  if (!found) return overPage(world, exchange, found);
  const outcome = tryCode(world, found, (formOf(exchange).get("code") ?? "").trim());
  if (outcome === "passed" && world.switches.take("verifyThenDrop")) return { kind: "drop" };
  if (outcome === "wrong_code") {
    return codePage(world, exchange, found, "That code is not right. Enter the one your bank has sent.");
  }
  return overPage(world, exchange, found);
}

export const verificationRoutes: readonly Route[] = [
  { method: "GET", path: "/checkout/verification/:verification", access: "signed_in", handle: show },
  { method: "POST", path: "/checkout/verification/:verification", access: "signed_in", handle: take },
];
