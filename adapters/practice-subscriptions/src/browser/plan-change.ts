import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  fingerprintOf,
  gap,
  type JsonObject,
  ok,
  readFingerprint,
  traceOf,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pathOf, redirectPath } from "@countersign/route-browser";
import { HOLD_MS } from "../shared/limits.ts";
import { CHANGE_NUMBER, type PlanOffer, planChanged, planTerms } from "../shared/plan.ts";
import { CURRENCY, factOf, look, visits } from "./page-text.ts";
import { againAtReview, type Chosen, planOf, REVIEW_HEADING, type Review, toReview } from "./plan-review.ts";
import { readSubscriptions } from "./subscriptions.ts";

const COMMIT = { method: "POST", path: "/changing/*" } as const;
const STATE = { v: 1 };

/** The review that a session's held request confirms, for the observation that follows. */
const heldReviews = new WeakMap<BrowserSession, Chosen>();

const wanted = (params: JsonObject) => ({
  subscription: String(params["subscription_ref"]),
  planRef: String(params["plan_ref"]),
});

function review(session: BrowserSession, params: JsonObject): Promise<Attempt<Review>> | Attempt<Review> {
  if (params["currency"] !== CURRENCY) return gap("the service charges in another currency");
  const { subscription, planRef } = wanted(params);
  return toReview(session, subscription, planRef);
}

/** Changes a plan through the service's pages: cards to choose from, and a page to check. */
export const planChange: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "subscription.plan.change",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    ctx.progress("review", "Going to the service's last page");
    const seen = await review(session, params);
    if (!seen.ok) return seen.reason;
    await seen.value.page.close().catch(() => {});
    return { kind: "ready", state: STATE, terms: planTerms(session.origin, seen.value.offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    const seen = await review(session, record.parameters as JsonObject);
    if (!seen.ok) return seen.reason;
    const { page, chosen } = seen.value;
    heldReviews.set(session, chosen);
    const exchange = await visits.onPage(session, async () => {
      await page.getByRole("checkbox", { name: "I agree to the new price", exact: true }).check();
      const button = page.getByRole("button", { name: "Change my plan", exact: true });
      return session.hold(() => button.click(), { pattern: COMMIT, timeoutMs: HOLD_MS });
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, chosen.path) } };
  },

  async observe(_ctx, session, record) {
    const held = heldReviews.get(session);
    if (held !== undefined) {
      const offer = await againAtReview(session, held);
      return offer.ok ? { kind: "done", value: { terms: planTerms(session.origin, offer.value) } } : offer.reason;
    }
    const seen = await review(session, record.parameters as JsonObject);
    if (!seen.ok) return seen.reason;
    await seen.value.page.close().catch(() => {});
    return { kind: "done", value: { terms: planTerms(session.origin, seen.value.offer) } };
  },

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

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const { draft } = print.value;
    const { subscription, planRef } = wanted(submission.record.parameters as JsonObject);
    const came = draft === undefined ? ok("lapsed" as const) : await cameOf(session, draft, subscription, planRef);
    if (!came.ok) return { kind: "sign_in" };
    if (typeof came.value === "object") return { kind: "found", ...planChanged(came.value.number, came.value.made) };
    if (came.value === "nothing") return { kind: "absent" };
    // Its page tells nothing any more. A change that took place stands at the subscription, or is announced there.
    const seen = await readSubscriptions(session);
    if (!seen.ok) return { kind: "sign_in" };
    const now = seen.value.find(({ id }) => id === subscription);
    const { present_plan: present } = submission.record.terms as JsonObject;
    return now !== undefined && now.plan === present && now.announced === undefined
      ? { kind: "absent" }
      : { kind: "unclear", why: "the plan is another one by now, and whose act that was cannot be told" };
  },
};

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
