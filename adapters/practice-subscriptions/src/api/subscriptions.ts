import type { ReadAdapter } from "@countersign/plugin";
import { type JsonObject, ok } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import { type CancellationOffer, cancellationTerms, cancelled } from "../shared/cancellation.ts";
import { type PlanOffer, planChanged, planTerms } from "../shared/plan.ts";
import { lanternCommit } from "./commit.ts";
import {
  cancellationPreviewShape,
  cancellationShape,
  planChangeShape,
  planPreviewShape,
  subscriptionsShape,
} from "./shapes.ts";

const SUBSCRIPTIONS = "/api/v2/subscriptions";

export const chargesList: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "subscription.charges.list",
  async read(_ctx, session, params) {
    const seen = bodyOf(await session.fetch(SUBSCRIPTIONS), 200, subscriptionsShape);
    if (!seen.ok) return seen.reason;
    const charges = seen.value.slice(0, Number(params["limit"])).map((each) => ({
      subscription_ref: each.id,
      merchant: each.charged_by,
      plan: each.plan.name,
      status: each.state,
      currency: each.plan.price.currency,
      price_minor: each.plan.price.minor,
      period: each.plan.every,
      ...(each.last_charged_on === undefined ? {} : { last_on: each.last_charged_on }),
      // What is ending is not charged again, and a paused one the service does not say when.
      ...(each.state === "active" ? { next_on: each.paid_until } : {}),
      ...(each.state === "trial" ? { trial_ends_on: each.paid_until } : {}),
      ...(each.ends_on === undefined ? {} : { ends_on: each.ends_on }),
    }));
    return { kind: "done", result: { charges } };
  },
};

const asked = (record: ActionRecord, member: string): unknown => (record.parameters as JsonObject)[member];
const previewOf = (params: JsonObject, kind: string): string =>
  `${SUBSCRIPTIONS}/${encodeURIComponent(String(params["subscription_ref"]))}/${kind}`;

/** What is offered for staying stands in the preview, and no request of this adapter takes it up. */
export const subscriptionCancel = lanternCommit<CancellationOffer, ReturnType<typeof cancellationShape.parse>>({
  operation: "subscription.cancel",
  path: "/api/v2/cancellations",
  listed: { path: "/api/v2/cancellations", member: "cancellations" },
  looking: "Asking the service what a cancellation brings",
  preview: (_ctx, params) => ok({ path: previewOf(params, "cancellation-preview"), body: {} }),
  draftShape: cancellationPreviewShape,
  terms: (origin, offer) => ({ terms: cancellationTerms(origin, offer) }),
  doneShape: cancellationShape,
  isWanted: (done, record) => done.subscription === asked(record, "subscription_ref"),
  confirmation: (done) => cancelled(done),
});

export const planChange = lanternCommit<PlanOffer, ReturnType<typeof planChangeShape.parse>>({
  operation: "subscription.plan.change",
  path: "/api/v2/plan-changes",
  listed: { path: "/api/v2/plan-changes", member: "plan_changes" },
  looking: "Asking the service what the plan costs",
  preview: (_ctx, params) =>
    ok({
      path: previewOf(params, "plan-preview"),
      body: { plan: String(params["plan_ref"]) },
      unlike: ({ currency }) =>
        currency === params["currency"] ? undefined : "the service charges in another currency",
    }),
  draftShape: planPreviewShape,
  terms: (origin, offer) => ({ terms: planTerms(origin, offer) }),
  doneShape: planChangeShape,
  isWanted: (done, record) =>
    done.subscription === asked(record, "subscription_ref") && done.planRef === asked(record, "plan_ref"),
  confirmation: (done) => planChanged(done.number, done),
});
