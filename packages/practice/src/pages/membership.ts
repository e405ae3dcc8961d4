import { csrfToken, type Exchange, hasCsrf } from "../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../http/reply.ts";
import { CANCELLATION_CONSEQUENCES, cancelMembership, monthlyMinor } from "../shop/membership.ts";
import type { Route } from "../shop/route.ts";
import type { World } from "../shop/world.ts";
import { html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";
import { csrfField, day } from "../site/parts.ts";
import { noticePage, shopPage, staleForm } from "./layout.ts";

function membershipPage(world: World, exchange: Exchange): Answer {
  const { membership } = world.state;
  const { cancellation } = membership;
  const status = cancellation
    ? html`<p role="status" class="notice">Cancelled, ends ${day(cancellation.endsAtMs)}</p>`
    : html`<p role="status" class="notice">Active</p>`;
  const main = html`<h1>Your membership</h1><div class="card">
${status}
<dl>
<div><dt>Plan</dt><dd>${membership.plan}</dd></div>
<div><dt>Price</dt><dd>${formatMoney(monthlyMinor(membership), world.currency)} per month</dd></div>
<div><dt>Paid until</dt><dd>${day(membership.paidUntilMs)}</dd></div>
${cancellation ? html`<div><dt>Cancellation reference</dt><dd>${cancellation.reference}</dd></div>` : undefined}
</dl>
${cancellation ? undefined : html`<p><a class="button" href="/membership/cancel">Cancel membership</a></p>`}</div>`;
  return shopPage(world, exchange, { title: "Your membership", main });
}

function alreadyCancelled(world: World, exchange: Exchange): Answer {
  return noticePage(world, exchange, {
    status: 409,
    title: "Your membership is already cancelled",
    text: "There is nothing more to cancel.",
    href: "/membership",
    link: "Your membership",
  });
}

function showOffer(world: World, exchange: Exchange): Answer {
  const { membership } = world.state;
  if (membership.cancellation) return redirect(302, "/membership");
  const half = formatMoney(Math.ceil(membership.priceMinor / 2), world.currency);
  const offer =
    membership.offerTakenAtMs === undefined
      ? html`<p>Stay for <strong>${half}</strong> per month for the next three months.</p>
<form method="post" action="/membership/offer">${csrfField(csrfToken(world, exchange.sid))}<button class="main">Stay for half price</button></form>`
      : html`<p>You already pay half price. We would be glad if you stayed.</p>`;
  const main = html`<div class="card narrow"><h1>Before you go</h1>
${offer}
<p><a href="/membership">Keep my membership</a></p>
<p><a href="/membership/cancel/confirm">Continue to cancel</a></p></div>`;
  return shopPage(world, exchange, { title: "Before you go", main });
}

function takeOffer(world: World, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  const { membership } = world.state;
  if (membership.cancellation) return alreadyCancelled(world, exchange);
  if (membership.offerTakenAtMs === undefined) {
    world.state.membership = { ...membership, offerTakenAtMs: world.now() };
    world.state.counters.offersTaken += 1;
  }
  return redirect(303, "/membership");
}

function showConfirm(world: World, exchange: Exchange): Answer {
  const { membership } = world.state;
  if (membership.cancellation) return redirect(302, "/membership");
  const main = html`<div class="card narrow"><h1>Confirm your cancellation</h1>
<dl>
<div><dt>Plan</dt><dd>${membership.plan}</dd></div>
<div><dt>Price</dt><dd>${formatMoney(monthlyMinor(membership), world.currency)} per month</dd></div>
<div><dt>Ends on</dt><dd>${day(membership.paidUntilMs)}</dd></div>
</dl>
<ul>${CANCELLATION_CONSEQUENCES.map((text) => html`<li>${text}</li>`)}</ul>
<form method="post" action="/membership/cancel" data-once>${csrfField(csrfToken(world, exchange.sid))}<button class="main">Confirm cancellation</button></form>
<p><a href="/membership">Keep my membership</a></p></div>`;
  return shopPage(world, exchange, { title: "Confirm your cancellation", main });
}

/** The commit. */
function submitCancellation(world: World, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleForm(world, exchange);
  if (world.state.membership.cancellation) return alreadyCancelled(world, exchange);
  if (world.switches.take("refuse", { commit: "cancellation" })) {
    return noticePage(world, exchange, {
      status: 422,
      title: "Your membership was not cancelled",
      text: "A payment for this membership is being processed. Cancelling is not possible until it is done.",
      href: "/membership",
      link: "Your membership",
    });
  }
  cancelMembership(world);
  world.state.counters.cancels += 1;
  return {
    kind: "committed",
    commit: "cancellation",
    answer: redirect(303, "/membership"),
    landing: () => membershipPage(world, exchange),
  };
}

export const membershipRoutes: readonly Route[] = [
  { method: "GET", path: "/membership", access: "signed_in", readBack: "read_back", handle: membershipPage },
  { method: "GET", path: "/membership/cancel", access: "signed_in", handle: showOffer },
  { method: "POST", path: "/membership/offer", access: "signed_in", handle: takeOffer },
  { method: "GET", path: "/membership/cancel/confirm", access: "signed_in", handle: showConfirm },
  {
    method: "POST",
    path: "/membership/cancel",
    access: "signed_in",
    commit: "cancellation",
    handle: submitCancellation,
  },
];
