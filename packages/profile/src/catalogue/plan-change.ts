import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { CURRENCY_FIELDS, disagreements } from "./meanings.ts";
import type { TermsMeaning } from "./model.ts";
import { calendarDate, currency, hostName, inCurrency, minor, period, reference, siteText } from "./shapes.ts";

// Another plan of a running contract is the same deal at a utility and at a subscription service. A price that recurs
// leaves again and again, so what is bounded is what can certainly not be taken back: what is charged at the change
// together with the first period.

export const planParameters = {
  plan_ref: reference,
  /** The most that the change and the first period together may cost (REQ-8). */
  max_total_minor: minor,
  currency,
  /** Refuse a change that begins before this day. */
  not_before: calendarDate.exactOptional(),
};

export const planTerms = {
  provider: hostName,
  plan_ref: reference,
  plan: siteText,
  present_plan: siteText,
  ...inCurrency,
  /** Charged at the change. */
  due_now_minor: minor,
  /** Charged every `period` from then on. */
  price_minor: minor,
  period,
  total_minor: minor,
  starts_on: calendarDate,
  /** No way out before this day. */
  bound_ends_on: calendarDate.exactOptional(),
  /** What changes and what is lost, in the site's own words. */
  consequence: siteText.exactOptional(),
};

export const planResult = z.object({
  change_ref: siteText.exactOptional(),
  plan: siteText,
  currency,
  price_minor: minor,
  period,
  starts_on: calendarDate,
});

/** `contract` is the member that names what is changed, in the request, the terms and the limits of a grant alike. */
export function planMeaning(question: string, contract: string): TermsMeaning {
  return {
    question,
    affirm: "Approve the change",
    sums: [{ total: "total_minor", members: ["due_now_minor", "price_minor"] }],
    receipt: [
      "provider",
      contract,
      "plan",
      "currency",
      "minor_digits",
      "due_now_minor",
      "price_minor",
      "period",
      "total_minor",
      "starts_on",
    ],
    fields: [
      { member: "total_minor", label: "Now and for the first period", compare: "not_above", show: "money", place: 1 },
      { member: "plan", label: "New plan", compare: "equal", show: "text", place: 2 },
      { member: "due_now_minor", label: "Charged now", compare: "not_above", show: "money", place: 3 },
      { member: "price_minor", label: "Charged each time", compare: "not_above", show: "money", place: 4 },
      { member: "period", label: "Charged every", compare: "equal", show: "text", place: 5 },
      { member: "starts_on", label: "Begins on", compare: "equal", show: "date", place: 6 },
      { member: "bound_ends_on", label: "No way out before", compare: "equal", show: "date", place: 7 },
      { member: "provider", label: "At", compare: "equal", show: "host", place: 8 },
      { member: "present_plan", label: "Plan until now", compare: "equal", show: "text", place: 9 },
      { member: "consequence", label: "What the site says", compare: "equal", show: "text", place: 20 },
      { member: "plan_ref", label: "Plan reference", compare: "equal", show: "reference", place: 118 },
      { member: contract, label: "Contract reference", compare: "equal", show: "reference", place: 119 },
      ...CURRENCY_FIELDS,
    ],
    lists: [],
    personal: [],
  };
}

export function planContradictions(
  meaning: TermsMeaning,
  contract: string,
  asked: JsonObject,
  seen: JsonObject,
): readonly string[] {
  const found = disagreements(meaning, [contract, "plan_ref", "currency"], asked, seen);
  const { starts_on: starts, bound_ends_on: bound } = seen;
  if (before(starts, asked["not_before"])) found.push("starts_on");
  if (before(bound, starts)) found.push("bound_ends_on");
  return found;
}

/** Of two days that are there; YYYY-MM-DD sorts as it runs. */
function before(day: unknown, other: unknown): boolean {
  return typeof day === "string" && typeof other === "string" && day < other;
}
