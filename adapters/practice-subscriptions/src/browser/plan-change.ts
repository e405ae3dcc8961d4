import type { Answer, Recognised } from "@countersign/plugin";
import { type Attempt, gap, type JsonObject, ok } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pageCommit, pathOf, redirectPath } from "@countersign/route-browser";
import { CHANGE_NUMBER, type PlanOffer, planChanged, planTerms } from "../shared/plan.ts";
import { CURRENCY, factOf, look, visits } from "./page-text.ts";
import { againAtReview, type Chosen, planOf, REVIEW_HEADING, toReview } from "./plan-review.ts";
import { readSubscriptions } from "./subscriptions.ts";

const wanted = (params: JsonObject) => ({
  subscription: String(params["subscription_ref"]),
  planRef: String(params["plan_ref"]),
});

/** Changes a plan through the service's pages: cards to choose from, and a page to check. */
export const planChange = pageCommit<PlanOffer, Chosen>(
  {
    operation: "subscription.plan.change",
    commits: [{ method: "POST", path: "/changing/*" }],
    looking: "Going to the service's last page",
    async toLast(_ctx, session, { params }) {
      if (params["currency"] !== CURRENCY) return gap("the service charges in another currency");
      const { subscription, planRef } = wanted(params);
      return toReview(session, subscription, planRef);
    },
    again: (_ctx, session, chosen) => againAtReview(session, chosen),
    draftOf: ({ path }) => path,
    terms: (origin, offer) => ({ terms: planTerms(origin, offer) }),

    /** The service answers with the change's number alone: the result is the approved one, and nothing is observed. */
    recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
      const path = redirectPath(answer, 303, record.route.origin) ?? "";
      const number = /^\/plan-changes\/([^/]+)$/.exec(path)?.[1] ?? "";
      if (CHANGE_NUMBER.test(number))
        return { kind: "confirmed", confirmation: number, result: approved(number, record) };
      if (isPageWith(answer, 422, "Your plan was not changed"))
        return { kind: "refused", why: "the service does not do it at the moment" };
      if (isPageWith(answer, 410, "This has lapsed")) return { kind: "refused", why: "the service's page had lapsed" };
      return { kind: "unknown" };
    },

    async readBack(session, { draft }, record) {
      const { subscription, planRef } = wanted(record.parameters as JsonObject);
      const came = draft === undefined ? ok("lapsed" as const) : await cameOf(session, draft, subscription, planRef);
      if (!came.ok) return { kind: "sign_in" };
      if (typeof came.value === "object") return { kind: "found", ...planChanged(came.value.number, came.value.made) };
      if (came.value === "nothing") return { kind: "absent" };
      // Its page tells nothing any more. A change that took place stands at the subscription, or is announced there.
      const seen = await readSubscriptions(session);
      if (!seen.ok) return { kind: "sign_in" };
      const now = seen.value.find(({ id }) => id === subscription);
      const { present_plan: present } = record.terms as JsonObject;
      return now !== undefined && now.plan === present && now.announced === undefined
        ? { kind: "absent" }
        : { kind: "unclear", why: "the plan is another one by now, and whose act that was cannot be told" };
    },
  },
  visits,
);

function approved(number: string, record: ActionRecord): JsonObject {
  const { plan, currency, price_minor: price, period, starts_on: startsOn } = record.terms as JsonObject;
  return {
    change_ref: number,
    plan: String(plan),
    currency: String(currency),
    price_minor: Number(price),
    period: String(period),
    starts_on: String(startsOn),
  };
}

interface Came {
  readonly number: string;
  readonly made: PlanOffer;
}

/** What came of a page to check: its change, nothing, or it tells nothing any more. */
function cameOf(
  session: BrowserSession,
  draft: string,
  subscription: string,
  planRef: string,
): Promise<Attempt<Came | "nothing" | "lapsed">> {
  return visits.visit(session, draft, async (page): Promise<Attempt<Came | "nothing" | "lapsed">> => {
    const seen = await look(page);
    if (/^\/plan-changes\//.test(pathOf(page))) {
      visits.expectHeading(seen.heading, "Your plan is changed");
      return ok({ number: factOf(seen.facts, "Change"), made: planOf(seen.facts, subscription, planRef) });
    }
    if (seen.heading === "This has lapsed") return ok("lapsed");
    // Changed elsewhere meanwhile: what was done through this page would have led on to its own change.
    if (seen.heading === "This is not possible any more") return ok("nothing");
    visits.expectHeading(seen.heading, REVIEW_HEADING);
    return ok("nothing");
  });
}
