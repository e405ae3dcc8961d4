import { addDays, addMonths, dayOf, daysBetween } from "./days.ts";
import type {
  Cancellation,
  CancellationQuote,
  Offer,
  Plan,
  PlanChange,
  PlanQuote,
  Product,
  Subscription,
} from "./model.ts";
import { BETTER, productOf } from "./seed.ts";
import type { LanternWorld } from "./world.ts";

export type ContractProblem = "not_subscribed" | "unknown_plan" | "same_plan" | "already_ending" | "change_announced";

export function subscriptionOf(world: LanternWorld, id: string): Subscription | undefined {
  return world.state.subscriptions.find((each) => each.id === id);
}

/** Prices of this moment; what is subscribed to already keeps its own. */
export function plansNow(world: LanternWorld, product: Product): readonly Plan[] {
  const delta = world.switches.priceDeltaMinor();
  return product.plans.map((plan) => ({ ...plan, priceMinor: Math.max(0, plan.priceMinor + delta) }));
}

/** What is offered for staying at this moment. */
export function offersNow(world: LanternWorld, product: Product): readonly Offer[] {
  const [, ...others] = product.offers;
  return world.switches.isOn("offer") ? [BETTER, ...others] : product.offers;
}

/** How the service writes a price within a sentence: "€13.99". */
function written(minor: number): string {
  const digits = String(minor).padStart(3, "0");
  return `€${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function notices(world: LanternWorld): string {
  return world.switches.isOn("notice") ? " From today this also ends sharing with a second home." : "";
}

/**
 * What moving to this plan brings now. A dearer one of the same period begins at once, and the days that are left are
 * paid by their share of the difference, halves up; everything else begins with the next period and costs nothing now.
 */
export function quotePlan(world: LanternWorld, id: string, planId: string): PlanQuote | ContractProblem {
  const subscription = subscriptionOf(world, id);
  const product = productOf(id);
  if (subscription === undefined || product === undefined) return "not_subscribed";
  if (subscription.cancellation !== undefined) return "already_ending";
  if (subscription.change !== undefined) return "change_announced";
  const plan = plansNow(world, product).find((each) => each.id === planId);
  if (plan === undefined) return "unknown_plan";
  const present = subscription.plan;
  const sameTrial = subscription.state === "trial" && plan.id === present.id;
  if (plan.id === present.id && !sameTrial) return "same_plan";
  const today = dayOf(world.now());
  const dearer = plan.priceMinor - present.priceMinor;
  const atOnce = subscription.state === "active" && plan.period === present.period && dearer > 0;
  const { periodFrom, paidUntil } = subscription;
  const left = daysBetween(today, paidUntil);
  const days = daysBetween(periodFrom, paidUntil);
  const startsOn = atOnce ? today : paidUntil;
  return {
    subscription: id,
    plan,
    presentPlan: present.name,
    dueNowMinor: atOnce ? Math.floor((2 * dearer * left + days) / (2 * days)) : 0,
    startsOn,
    ...(plan.period === "year" ? { boundEndsOn: addDays(addMonths(startsOn, 12), -1) } : {}),
    consequence: consequenceOf(plan, atOnce, left, days) + notices(world),
  };
}

function consequenceOf(plan: Plan, atOnce: boolean, left: number, days: number): string {
  if (plan.thenMinor !== undefined) return `After three months it is ${written(plan.thenMinor)} a month again.`;
  if (atOnce) return `It begins today. For ${left} of ${days} days you pay the difference.`;
  return "Until then everything stays as it is.";
}

function nextNumber(world: LanternWorld, prefix: string): string {
  world.state.lastNumber += 1 + ((world.random(1)[0] ?? 0) % 9);
  return `${prefix}-${world.state.lastNumber}`;
}

function replace(world: LanternWorld, subscription: Subscription): void {
  world.state.subscriptions = world.state.subscriptions.map((each) =>
    each.id === subscription.id ? subscription : each,
  );
}

/** At the price of this moment, whatever the person saw before. */
export function changePlan(world: LanternWorld, quote: PlanQuote, reference: string, overMinor = 0): PlanChange {
  const change: PlanChange = {
    ...quote,
    dueNowMinor: quote.dueNowMinor + overMinor,
    number: nextNumber(world, "PC"),
    reference,
    madeAtMs: world.now(),
  };
  world.state.planChanges = [...world.state.planChanges, change];
  const subscription = subscriptionOf(world, quote.subscription);
  if (subscription !== undefined) {
    const atOnce = quote.startsOn === dayOf(world.now());
    replace(world, atOnce ? { ...subscription, plan: quote.plan } : { ...subscription, change });
  }
  return change;
}

/** What cancelling brings now: it ends with what is paid. */
export function quoteCancellation(world: LanternWorld, id: string): CancellationQuote | ContractProblem {
  const subscription = subscriptionOf(world, id);
  const product = productOf(id);
  if (subscription === undefined || product === undefined) return "not_subscribed";
  if (subscription.cancellation !== undefined) return "already_ending";
  return {
    subscription: id,
    plan: `${product.title}, ${subscription.plan.name}`,
    endsOn: subscription.paidUntil,
    consequence: product.lost + notices(world),
    offers: offersNow(world, product),
  };
}

export function cancel(world: LanternWorld, quote: CancellationQuote, reference: string): Cancellation {
  const cancellation = { ...quote, number: nextNumber(world, "LC"), reference, madeAtMs: world.now() };
  world.state.cancellations = [...world.state.cancellations, cancellation];
  const subscription = subscriptionOf(world, quote.subscription);
  if (subscription !== undefined) {
    const { change: _dropped, ...kept } = subscription;
    replace(world, { ...kept, cancellation });
  }
  return cancellation;
}

/** The person stays after all: another contract than they had. */
export function takeOffer(world: LanternWorld, id: string, offer: string): void {
  world.state.counters.offersTaken += 1;
  const subscription = subscriptionOf(world, id);
  if (subscription !== undefined) replace(world, { ...subscription, taken: [...subscription.taken, offer] });
}
