import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { formatMoney } from "../../site/money.ts";
import { printedDay } from "../days.ts";
import { oneLine } from "../holder.ts";
import type { Subscription } from "../model.ts";
import type { LanternRoute } from "../route.ts";
import { CURRENCY, productOf, SERVICE_NAME } from "../seed.ts";
import type { LanternWorld } from "../world.ts";
import { facts, lanternPage } from "./layout.ts";

export function printedPrice(minor: number, period: string): string {
  return `${formatMoney(minor, CURRENCY)} a ${period}`;
}

const STATES = { active: "Active", trial: "Free trial", paused: "Paused" } as const;

function rowsOf(subscription: Subscription): readonly (readonly [string, string])[] {
  const { plan, state, paidUntil, lastOn, cancellation, change } = subscription;
  const price = printedPrice(plan.priceMinor, plan.period);
  const last = lastOn === undefined ? [] : [["Last charged", printedDay(lastOn)] as const];
  const next =
    cancellation !== undefined
      ? [["Ends on", printedDay(cancellation.endsOn)] as const]
      : state === "trial"
        ? [["Trial until", printedDay(paidUntil)] as const]
        : state === "paused"
          ? []
          : [["Next charge", printedDay(paidUntil)] as const];
  const then =
    change === undefined ? [] : [["Then", `${change.plan.name} from ${printedDay(change.startsOn)}`] as const];
  return [
    ["State", cancellation === undefined ? STATES[state] : "Ending"],
    ["Plan", plan.name],
    ["Price", price],
    ...last,
    ...next,
    ...then,
    ["Charged by", productOf(subscription.id)?.merchant ?? ""],
  ];
}

function card(subscription: Subscription): Html {
  const { id } = subscription;
  const ends = subscription.cancellation;
  const acts =
    ends === undefined
      ? html`<a href="/subscriptions/${id}/plan">Change plan</a> <a href="/subscriptions/${id}/cancel">Cancel</a>`
      : html`<a href="/cancellations/${ends.number}">Cancellation ${ends.number}</a> <a href="/subscriptions/${id}/plan">Plans</a>`;
  return html`
<article class="card" aria-labelledby="at-${id}"><h2 id="at-${id}">${productOf(id)?.title}</h2>${facts(rowsOf(subscription))}
<p class="acts">${acts}</p></article>`;
}

function showSubscriptions(world: LanternWorld, exchange: Exchange): Answer {
  const main = html`<h1>Your subscriptions</h1>
<div class="shelf">${world.state.subscriptions.map(card)}
</div>`;
  return lanternPage(world, exchange, { title: "Your subscriptions", main });
}

function showAccount(world: LanternWorld, exchange: Exchange): Answer {
  const { billing, email, emailToConfirm, phone } = world.state.holder;
  const rows: readonly (readonly [string, string])[] = [
    ["Name", world.user.name],
    ["You sign in with", world.user.email],
    ["Email", email],
    ...(emailToConfirm === undefined ? [] : [["Email to be confirmed", emailToConfirm] as const]),
    ["Telephone", phone],
    ["Billing address", oneLine(billing)],
  ];
  const main = html`<h1>Your account</h1><div class="facts">${facts(rows)}</div>
<p class="soft">These are changed in the ${SERVICE_NAME} app.</p>`;
  return lanternPage(world, exchange, { title: "Your account", main, width: "slim" });
}

export const subscriptionRoutes: readonly LanternRoute[] = [
  { method: "GET", path: "/subscriptions", access: "signed_in", readBack: "read_back", handle: showSubscriptions },
  { method: "GET", path: "/account", access: "signed_in", readBack: "read_back", handle: showAccount },
];
