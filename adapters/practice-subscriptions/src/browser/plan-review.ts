import { type Attempt, gap, ok, SiteTrouble } from "@countersign/plugin/site";
import { type BrowserSession, type LastPage, pathOf } from "@countersign/route-browser";
import type { PlanOffer } from "../shared/plan.ts";
import {
  CURRENCY,
  type Facts,
  factOf,
  type Look,
  look,
  onlyFacts,
  optionalFact,
  printedDay,
  printedMinor,
  printedPrice,
  visits,
} from "./page-text.ts";

const REVIEW = /^\/changing\/[\w-]{20,64}$/;
export const REVIEW_HEADING = "Check your new plan";
const TERMS = [
  "Subscription",
  "New plan",
  "Plan until now",
  "Charged now",
  "Price",
  "Begins on",
  "Bound until",
  "Good to know",
];

/** What was chosen, so that the review is known to be of that. */
export interface Chosen {
  readonly path: string;
  readonly subscription: string;
  readonly planRef: string;
  /** In the service's own words. */
  readonly plan: string;
}

type Review = LastPage<PlanOffer> & { readonly chosen: Chosen };

/** Chooses the plan's card and goes on to the page where it is checked. The page stays open; nothing is changed. */
export function toReview(session: BrowserSession, subscription: string, planRef: string): Promise<Attempt<Review>> {
  return visits.onPage(session, async () => {
    if (!/^[\w-]{1,64}$/.test(subscription)) return gap("the service has no such subscription here");
    const form = `/subscriptions/${subscription}/plan`;
    const page = await session.page(form);
    if (visits.isSignIn(page)) return { ok: false, reason: { kind: "sign_in" } };
    const { heading } = await look(page);
    if (heading === "No such subscription") return gap("the service has no such subscription here");
    visits.expectHeading(heading, "Choose a plan");
    const radio = page.getByRole("radio").and(page.locator(`[value=${JSON.stringify(planRef)}]`));
    if ((await radio.count()) !== 1) return gap("the service has no such plan on offer");
    // A card's first words are the plan's name; its price and its description follow.
    const plan = await radio.evaluate((each) => (each.nextElementSibling?.firstChild?.textContent ?? "").trim());
    await radio.check();
    const gone = await visits.follow(page, () => page.getByRole("button", { name: "Continue", exact: true }).click());
    if (!gone.ok) return gone;
    const path = pathOf(page);
    if (path === form) return gap(problemOf(await page.getByRole("alert").allTextContents()));
    if (!REVIEW.test(path)) throw new SiteTrouble("the service did not show the plan to check");
    const chosen = { path, subscription, planRef, plan };
    const press = async () => {
      await page.getByRole("checkbox", { name: "I agree to the new price", exact: true }).check();
      await page.getByRole("button", { name: "Change my plan", exact: true }).click();
    };
    return ok({ page, chosen, offer: reviewOf(await look(page), chosen), press });
  });
}

/** The same review again, as the service shows it now. */
export function againAtReview(session: BrowserSession, chosen: Chosen): Promise<Attempt<PlanOffer>> {
  return visits.visit(session, chosen.path, async (page) => {
    if (pathOf(page) !== chosen.path) throw new SiteTrouble("the plan was changed meanwhile");
    return ok(reviewOf(await look(page), chosen));
  });
}

/** What the page says will be. @throws SiteTrouble when it is not exactly as it should be, or of another plan. */
export function reviewOf(seen: Look, chosen: Chosen): PlanOffer {
  visits.expectHeading(seen.heading, REVIEW_HEADING);
  onlyFacts(seen.facts, TERMS);
  const offer = planOf(seen.facts, chosen.subscription, chosen.planRef);
  if (chosen.plan === "" || offer.plan !== chosen.plan) throw new SiteTrouble("the service shows another plan");
  return offer;
}

/** The facts of a change, on the page to check and on the page of what was done. */
export function planOf(facts: Facts, subscription: string, planRef: string): PlanOffer {
  const price = printedPrice(factOf(facts, "Price"));
  const bound = optionalFact(facts, "Bound until");
  return {
    subscription,
    planRef,
    plan: factOf(facts, "New plan"),
    presentPlan: factOf(facts, "Plan until now"),
    currency: CURRENCY,
    dueNowMinor: printedMinor(factOf(facts, "Charged now")),
    priceMinor: price.minor,
    period: price.period,
    startsOn: printedDay(factOf(facts, "Begins on")),
    ...(bound === undefined ? {} : { boundEndsOn: printedDay(bound) }),
    consequence: factOf(facts, "Good to know"),
  };
}

/** In our words. */
function problemOf(alerts: readonly string[]): string {
  switch (alerts[0]?.trim()) {
    case "This is the plan that you have.":
      return "this is the plan that the account has";
    case "This subscription is on its way to ending.":
      return "the subscription is cancelled already";
    case "Another plan is announced already.":
      return "another plan is announced for the subscription already";
    default:
      return "the service does not take this plan";
  }
}
