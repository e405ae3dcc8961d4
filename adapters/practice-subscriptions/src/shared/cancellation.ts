import type { JsonObject } from "@countersign/plugin/site";

/** What cancelling brings, as the service says it on its last screen and on the pages before it, by either route. */
export interface CancellationOffer {
  readonly subscription: string;
  readonly plan: string;
  readonly endsOn: string;
  readonly consequence: string;
  /** Each thing that is offered for staying; never taken here. */
  readonly offers: readonly { readonly title: string; readonly text: string }[];
}

/** The terms of `subscription.cancel`. */
export function cancellationTerms(origin: string, offer: CancellationOffer): JsonObject {
  const offers = offer.offers.map(({ title, text }) => `${title}: ${text}`).join(" ");
  return {
    provider: new URL(origin).host,
    subscription_ref: offer.subscription,
    plan: offer.plan,
    ends_on: offer.endsOn,
    consequence: offer.consequence,
    ...(offers === "" ? {} : { retention_offer: offers }),
  };
}

export const CANCELLATION_NUMBER = /^LC-[0-9]{1,12}$/;

export interface Cancelled {
  readonly number: string;
  readonly plan: string;
  readonly endsOn: string;
}

export function cancelled({ number, plan, endsOn }: Cancelled) {
  return {
    confirmation: number,
    result: { cancellation_ref: number, ends_on: endsOn },
    observed: { plan, ends_on: endsOn },
  };
}
