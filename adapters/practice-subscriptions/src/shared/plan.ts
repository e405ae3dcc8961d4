import { addMinor, currencyDigits, type JsonObject, must } from "@countersign/plugin/site";

/** What another plan brings, as the service says it on its last screen, by either route. */
export interface PlanOffer {
  readonly subscription: string;
  readonly planRef: string;
  readonly plan: string;
  readonly presentPlan: string;
  readonly currency: string;
  readonly dueNowMinor: number;
  readonly priceMinor: number;
  readonly period: "month" | "year";
  readonly startsOn: string;
  readonly boundEndsOn?: string;
  readonly consequence: string;
}

function totalOf({ dueNowMinor, priceMinor }: Pick<PlanOffer, "dueNowMinor" | "priceMinor">): number {
  return must(addMinor(dueNowMinor, priceMinor), "sum");
}

/** The terms of `subscription.plan.change`. */
export function planTerms(origin: string, offer: PlanOffer): JsonObject {
  const { currency } = offer;
  return {
    provider: new URL(origin).host,
    subscription_ref: offer.subscription,
    plan_ref: offer.planRef,
    plan: offer.plan,
    present_plan: offer.presentPlan,
    currency,
    minor_digits: must(currencyDigits(currency), "currency"),
    due_now_minor: offer.dueNowMinor,
    price_minor: offer.priceMinor,
    period: offer.period,
    total_minor: totalOf(offer),
    starts_on: offer.startsOn,
    ...(offer.boundEndsOn === undefined ? {} : { bound_ends_on: offer.boundEndsOn }),
    consequence: offer.consequence,
  };
}

export const CHANGE_NUMBER = /^PC-[0-9]{1,12}$/;

/** What came of a change, and what was charged for it. */
export function planChanged(number: string, made: PlanOffer) {
  const { plan, currency, priceMinor, dueNowMinor, period, startsOn } = made;
  return {
    confirmation: number,
    result: { change_ref: number, plan, currency, price_minor: priceMinor, period, starts_on: startsOn },
    observed: {
      plan,
      currency,
      due_now_minor: dueNowMinor,
      price_minor: priceMinor,
      total_minor: totalOf(made),
      starts_on: startsOn,
    },
  };
}
