import type { ReadAdapter } from "@countersign/plugin";
import { type Attempt, type JsonObject, ok, SiteTrouble } from "@countersign/plugin/site";
import type { BrowserSession } from "@countersign/route-browser";
import {
  CURRENCY,
  factOf,
  type Look,
  look,
  onlyFacts,
  optionalFact,
  printedDay,
  printedPrice,
  visits,
} from "./page-text.ts";

const STATES: Readonly<Record<string, "active" | "trial" | "paused" | "ending">> = {
  Active: "active",
  "Free trial": "trial",
  Paused: "paused",
  Ending: "ending",
};
const TERMS = ["State", "Plan", "Price", "Last charged", "Next charge", "Ends on", "Trial until", "Then", "Charged by"];

export interface ShownSubscription {
  readonly id: string;
  readonly title: string;
  readonly merchant: string;
  readonly plan: string;
  readonly status: "active" | "trial" | "paused" | "ending";
  readonly priceMinor: number;
  readonly period: "month" | "year";
  readonly lastOn?: string;
  readonly nextOn?: string;
  readonly trialEndsOn?: string;
  readonly endsOn?: string;
  /** Another plan that is announced, as the page words it. */
  readonly announced?: string;
}

/** The page of subscriptions. @throws SiteTrouble when it is not exactly as it should be. */
export function readSubscriptions(session: BrowserSession): Promise<Attempt<readonly ShownSubscription[]>> {
  return visits.visit(session, "/subscriptions", async (page) => ok(subscriptionsOf(await look(page))));
}

export function subscriptionsOf(seen: Look): readonly ShownSubscription[] {
  visits.expectHeading(seen.heading, "Your subscriptions");
  return seen.cards.map(({ title, facts, links }) => {
    onlyFacts(facts, TERMS);
    const state = factOf(facts, "State");
    const status = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
    const [id, ...others] = links.flatMap((link) => /^\/subscriptions\/([\w-]{1,64})\/plan$/.exec(link)?.[1] ?? []);
    if (status === undefined || title === "" || id === undefined || others.length > 0)
      throw new SiteTrouble("the service shows a subscription that cannot be read");
    const price = printedPrice(factOf(facts, "Price"));
    const day = (term: string) => {
      const text = optionalFact(facts, term);
      return text === undefined ? undefined : printedDay(text);
    };
    const [lastOn, nextOn, trialEndsOn, endsOn] = ["Last charged", "Next charge", "Trial until", "Ends on"].map(day);
    const announced = optionalFact(facts, "Then");
    return {
      id,
      title,
      merchant: factOf(facts, "Charged by"),
      plan: factOf(facts, "Plan"),
      status,
      priceMinor: price.minor,
      period: price.period,
      ...(lastOn === undefined ? {} : { lastOn }),
      ...(nextOn === undefined ? {} : { nextOn }),
      ...(trialEndsOn === undefined ? {} : { trialEndsOn }),
      ...(endsOn === undefined ? {} : { endsOn }),
      ...(announced === undefined ? {} : { announced }),
    };
  });
}

export const chargesList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "subscription.charges.list",
  async read(_ctx, session, params) {
    const seen = await readSubscriptions(session);
    if (!seen.ok) return seen.reason;
    const charges = seen.value.slice(0, Number(params["limit"])).map((each) => ({
      subscription_ref: each.id,
      merchant: each.merchant,
      plan: each.plan,
      status: each.status,
      currency: CURRENCY,
      price_minor: each.priceMinor,
      period: each.period,
      ...(each.lastOn === undefined ? {} : { last_on: each.lastOn }),
      ...(each.nextOn === undefined ? {} : { next_on: each.nextOn }),
      ...(each.trialEndsOn === undefined ? {} : { trial_ends_on: each.trialEndsOn }),
      ...(each.endsOn === undefined ? {} : { ends_on: each.endsOn }),
    }));
    return { kind: "done", result: { charges } };
  },
};
