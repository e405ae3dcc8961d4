import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import type { CommitOperation } from "../model.ts";
import { calendarDate, reference, siteText } from "../shapes.ts";

const parameters = z.strictObject({
  subscription_ref: reference,
  /** Refuse unless the service still runs at least until this day. */
  not_before: calendarDate.exactOptional(),
});

const terms = z.strictObject({
  provider: z.string().min(1).max(253),
  subscription_ref: reference,
  plan: siteText,
  ends_on: calendarDate,
  /** What is lost, in the site's own words. */
  consequence: siteText,
  /** What the site offers for staying, in its own words; shown, and never accepted by this operation. */
  retention_offer: siteText.exactOptional(),
});

/** Ends a recurring subscription: a commitment without money. */
export const subscriptionCancel: CommitOperation = {
  id: "subscription.cancel",
  title: "Cancel a subscription",
  about:
    "Ends a recurring subscription at the end of what is paid for. Offers to stay are shown to the person as the site words them and are never taken up: taking one up is a change of plan, with a request of its own. An offer that comes, goes or changes after the approval asks again.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "session",
  parameters,
  terms,
  result: z.object({ cancellation_ref: siteText, ends_on: calendarDate }),
  meaning: {
    question: "Cancel this subscription?",
    affirm: "Approve the cancellation",
    receipt: ["provider", "plan", "ends_on"],
    fields: [
      { member: "plan", label: "Subscription", compare: "equal", show: "text", place: 1 },
      { member: "provider", label: "At", compare: "equal", show: "host", place: 2 },
      { member: "ends_on", label: "Ends on", compare: "equal", show: "date", place: 3 },
      { member: "consequence", label: "What the site says", compare: "equal", show: "text", place: 20 },
      { member: "retention_offer", label: "Offered if you stay", compare: "equal", show: "text", place: 30 },
      { member: "subscription_ref", label: "Reference", compare: "equal", show: "reference", place: 120 },
    ],
    lists: [],
    personal: [],
  },
  limits: {
    payee: { termsMember: "provider" },
    items: { requestMember: "subscription_ref", termsMember: "subscription_ref" },
  },
  readBack: {
    where: "The subscription, shown as ended or as ending on the approved day.",
    terms: ["subscription_ref", "ends_on"],
    listedBy: "subscription.charges.list",
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    const want = parameters.parse(asked);
    const seen = terms.parse(observed);
    const found: string[] = [];
    if (seen.subscription_ref !== want.subscription_ref) found.push("subscription_ref");
    if (want.not_before !== undefined && seen.ends_on < want.not_before) found.push("ends_on");
    return found;
  },
  example: {
    parameters: { subscription_ref: "membership" },
    terms: {
      provider: "shop.example",
      subscription_ref: "membership",
      plan: "Plus, monthly",
      ends_on: "2026-12-31",
      consequence: "Free delivery ends with the paid period.",
    },
    result: { cancellation_ref: "CX-3381", ends_on: "2026-12-31" },
  },
};
