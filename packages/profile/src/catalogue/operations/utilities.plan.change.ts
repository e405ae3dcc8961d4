import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { TOTAL_CEILING } from "../meanings.ts";
import type { CommitOperation } from "../model.ts";
import { planContradictions, planMeaning, planParameters, planResult, planTerms } from "../plan-change.ts";
import { reference } from "../shapes.ts";

const CONTRACT = "contract_ref";
const parameters = z.strictObject({ contract_ref: reference, ...planParameters });
const terms = z.strictObject({ contract_ref: reference, ...planTerms });
const meaning = planMeaning("Change this contract?", CONTRACT);

/** Another tariff of a utility's contract. */
export const utilitiesPlanChange: CommitOperation = {
  id: "utilities.plan.change",
  title: "Change a utility plan",
  about:
    "Moves a contract for electricity, water, a line or the like to another plan of the same provider. The person sees what is charged at the change, what is charged from then on, from when, and until when there is no way out. Prices by use (a kWh) stand in the provider's own words.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "passkey",
  parameters,
  terms,
  result: planResult,
  meaning,
  ceiling: TOTAL_CEILING,
  limits: { payee: { termsMember: "provider" }, items: { requestMember: CONTRACT, termsMember: CONTRACT } },
  readBack: {
    where: "The contract, shown with the new plan, or with the change announced for the approved day.",
    terms: [CONTRACT, "plan_ref", "starts_on"],
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    return planContradictions(meaning, CONTRACT, parameters.parse(asked), terms.parse(observed));
  },
  example: {
    parameters: { contract_ref: "ct_7", plan_ref: "green-12", max_total_minor: 4000, currency: "EUR" },
    terms: {
      provider: "power.example",
      contract_ref: "ct_7",
      plan_ref: "green-12",
      plan: "Green 12",
      present_plan: "Basic",
      currency: "EUR",
      minor_digits: 2,
      due_now_minor: 0,
      price_minor: 3490,
      period: "month",
      total_minor: 3490,
      starts_on: "2027-01-01",
      bound_ends_on: "2027-12-31",
      consequence: "0.29 EUR for each kWh above 100 kWh a month.",
    },
    result: { plan: "Green 12", currency: "EUR", price_minor: 3490, period: "month", starts_on: "2027-01-01" },
  },
};
