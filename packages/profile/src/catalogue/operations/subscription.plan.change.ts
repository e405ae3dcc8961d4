import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { TOTAL_CEILING } from "../meanings.ts";
import type { CommitOperation } from "../model.ts";
import { planContradictions, planMeaning, planParameters, planResult, planTerms } from "../plan-change.ts";
import { reference } from "../shapes.ts";

const SUBSCRIPTION = "subscription_ref";
const parameters = z.strictObject({ subscription_ref: reference, ...planParameters });
const terms = z.strictObject({ subscription_ref: reference, ...planTerms });
const meaning = planMeaning("Change this subscription?", SUBSCRIPTION);

/** Another plan of a running subscription, a retention offer included. */
export const subscriptionPlanChange: CommitOperation = {
  id: "subscription.plan.change",
  title: "Change a subscription's plan",
  about:
    "Moves a subscription to another plan of the same service: a larger one, a smaller one, or an offer that the service made for staying. The person sees what is charged at the change and every time from then on. A trial that turns into a paid plan counts with the paid price.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "passkey",
  parameters,
  terms,
  result: planResult,
  meaning,
  ceiling: TOTAL_CEILING,
  limits: { payee: { termsMember: "provider" }, items: { requestMember: SUBSCRIPTION, termsMember: SUBSCRIPTION } },
  readBack: {
    where: "The subscription, shown with the new plan, or with the change announced for the approved day.",
    terms: [SUBSCRIPTION, "plan_ref", "starts_on"],
    listedBy: "subscription.charges.list",
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    return planContradictions(meaning, SUBSCRIPTION, parameters.parse(asked), terms.parse(observed));
  },
  example: {
    parameters: { subscription_ref: "membership", plan_ref: "plus-year", max_total_minor: 8000, currency: "EUR" },
    terms: {
      provider: "shop.example",
      subscription_ref: "membership",
      plan_ref: "plus-year",
      plan: "Plus, yearly",
      present_plan: "Plus, monthly",
      currency: "EUR",
      minor_digits: 2,
      due_now_minor: 0,
      price_minor: 7900,
      period: "year",
      total_minor: 7900,
      starts_on: "2026-12-31",
      bound_ends_on: "2027-12-30",
    },
    result: {
      change_ref: "PC-118",
      plan: "Plus, yearly",
      currency: "EUR",
      price_minor: 7900,
      period: "year",
      starts_on: "2026-12-31",
    },
  },
};
