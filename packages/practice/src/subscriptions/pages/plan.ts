import { csrfToken, type Exchange, formOf, hasCsrf } from "../../http/exchange.ts";
import { type Answer, type Reply, redirect } from "../../http/reply.ts";
import { DRAFT_MS } from "../../limits.ts";
import { html } from "../../site/html.ts";
import { formatMoney } from "../../site/money.ts";
import { alert, csrfField } from "../../site/parts.ts";
import { randomToken } from "../../site/random.ts";
import { type ContractProblem, changePlan, plansNow, quotePlan, subscriptionOf } from "../contract.ts";
import { printedDay } from "../days.ts";
import type { PlanChange, PlanQuote } from "../model.ts";
import type { LanternRoute } from "../route.ts";
import { CURRENCY, productOf } from "../seed.ts";
import type { Intent, LanternWorld } from "../world.ts";
import { back, facts, lanternPage, lapsed, staleLanternForm } from "./layout.ts";
import { printedPrice } from "./subscriptions.ts";

const PROBLEMS: Readonly<Record<ContractProblem, string>> = {
  not_subscribed: "You have no subscription of this name.",
  unknown_plan: "Choose one of the plans.",
  same_plan: "This is the plan that you have.",
  already_ending: "This subscription is on its way to ending.",
  change_announced: "Another plan is announced already.",
};

function showPlans(world: LanternWorld, exchange: Exchange, problem?: string): Answer {
  const id = exchange.params["subscription"] ?? "";
  const product = productOf(id);
  const present = subscriptionOf(world, id);
  if (product === undefined || present === undefined)
    return back(world, exchange, 404, "No such subscription", PROBLEMS.not_subscribed);
  const cards = plansNow(world, product).map(
    (plan) => html`
<label class="plan"><input type="radio" name="plan" value="${plan.id}" required><span>${plan.name}${
      plan.id === present.plan.id ? html` <span class="tag">Your plan</span>` : undefined
    }</span><b>${printedPrice(plan.priceMinor, plan.period)}</b><small>${plan.about}</small></label>`,
  );
  const main = html`<p class="steps">${product.title}</p><h1>Choose a plan</h1>
${problem === undefined ? undefined : alert(problem)}
<form method="post" action="/subscriptions/${id}/plan">${csrfField(csrfToken(world, exchange.sid))}
<fieldset><legend>Plans</legend>${cards}
</fieldset>
<p class="ways"><button class="glow">Continue</button><a href="/subscriptions">Back</a></p></form>`;
  const status = problem === undefined ? 200 : 422;
  return lanternPage(world, exchange, { title: "Choose a plan", main, status, width: "slim" });
}

function takePlan(world: LanternWorld, exchange: Exchange): Answer {
  if (!hasCsrf(world, exchange)) return staleLanternForm(world, exchange);
  const subscription = exchange.params["subscription"] ?? "";
  const plan = formOf(exchange).get("plan") ?? "";
  const quote = quotePlan(world, subscription, plan);
  if (typeof quote === "string") return showPlans(world, exchange, PROBLEMS[quote]);
  const draft = randomToken(world.random);
  const expiresAtMs = world.now() + DRAFT_MS;
  world.state.intents.put(draft, { kind: "plan", subscription, plan, expiresAtMs }, expiresAtMs);
  return redirect(303, `/changing/${draft}`);
}

function rowsOf(quote: PlanQuote): readonly (readonly [string, string])[] {
  return [
    ["Subscription", productOf(quote.subscription)?.title ?? ""],
    ["New plan", quote.plan.name],
    ["Plan until now", quote.presentPlan],
    ["Charged now", formatMoney(quote.dueNowMinor, CURRENCY)],
    ["Price", printedPrice(quote.plan.priceMinor, quote.plan.period)],
    ["Begins on", printedDay(quote.startsOn)],
    ...(quote.boundEndsOn === undefined ? [] : [["Bound until", printedDay(quote.boundEndsOn)] as const]),
    ["Good to know", quote.consequence],
  ];
}

function changing(
  world: LanternWorld,
  exchange: Exchange,
): { readonly draft: string; readonly intent: Intent; readonly quote: PlanQuote } | Answer {
  const draft = exchange.params["draft"] ?? "";
  const intent = world.state.intents.get(draft, world.now());
  if (intent?.kind !== "plan") return lapsed(world, exchange);
  if (intent.done !== undefined) return redirect(303, `/plan-changes/${intent.done}`);
  const quote = quotePlan(world, intent.subscription, intent.plan);
  if (typeof quote === "string") return back(world, exchange, 409, "This is not possible any more", PROBLEMS[quote]);
  return { draft, intent, quote };
}

function showReview(world: LanternWorld, exchange: Exchange, problem?: string): Answer {
  const seen = changing(world, exchange);
  if ("kind" in seen) return seen;
  const main = html`<p class="steps">Last step</p><h1>Check your new plan</h1>
${problem === undefined ? undefined : alert(problem)}
<div class="facts">${facts(rowsOf(seen.quote))}</div>
<form method="post" action="/changing/${seen.draft}">${csrfField(csrfToken(world, exchange.sid))}
<label class="tick"><input type="checkbox" name="agreed" value="yes">I agree to the new price</label>
<p class="ways"><button class="glow">Change my plan</button><a href="/subscriptions">Keep my plan</a></p></form>`;
  const status = problem === undefined ? 200 : 422;
  return lanternPage(world, exchange, { title: "Check your new plan", main, status, width: "slim" });
}

/** The commit: at the price of this moment. */
function confirm(world: LanternWorld, exchange: Exchange): Reply {
  if (!hasCsrf(world, exchange)) return staleLanternForm(world, exchange);
  const seen = changing(world, exchange);
  if ("kind" in seen) return seen;
  if (formOf(exchange).get("agreed") !== "yes") return showReview(world, exchange, "Tick the box to go on.");
  if (world.switches.take("refuse", { commit: "plan" }))
    return back(world, exchange, 422, "Your plan was not changed", "We cannot do this at the moment. Please call us.");
  const { draft, intent, quote } = seen;
  const change = changePlan(world, quote, "", world.switches.take("chargeOver")?.deltaMinor);
  world.state.intents.put(draft, { ...intent, done: change.number }, intent.expiresAtMs);
  world.state.counters.planChanges += 1;
  const answer = redirect(303, `/plan-changes/${change.number}`);
  return { kind: "committed", commit: "plan", answer, landing: () => donePage(world, exchange, change) };
}

function donePage(world: LanternWorld, exchange: Exchange, change: PlanChange): Answer {
  const main = html`<h1>Your plan is changed</h1>
<div class="facts">${facts([["Change", change.number], ...rowsOf(change)])}</div>
<p class="ways"><a class="act" href="/subscriptions">Your subscriptions</a></p>`;
  return lanternPage(world, exchange, { title: "Your plan is changed", main, width: "slim" });
}

function showDone(world: LanternWorld, exchange: Exchange): Answer {
  const found = world.state.planChanges.find(({ number }) => number === exchange.params["number"]);
  return found === undefined
    ? back(world, exchange, 404, "No such change", "There is none with this number.")
    : donePage(world, exchange, found);
}

export const planRoutes: readonly LanternRoute[] = [
  {
    method: "GET",
    path: "/subscriptions/:subscription/plan",
    access: "signed_in",
    handle: (world, exchange) => showPlans(world, exchange),
  },
  { method: "POST", path: "/subscriptions/:subscription/plan", access: "signed_in", handle: takePlan },
  {
    method: "GET",
    path: "/changing/:draft",
    access: "signed_in",
    handle: (world, exchange) => showReview(world, exchange),
  },
  { method: "POST", path: "/changing/:draft", access: "signed_in", commit: "plan", handle: confirm },
  { method: "GET", path: "/plan-changes/:number", access: "signed_in", readBack: "read_back", handle: showDone },
];
