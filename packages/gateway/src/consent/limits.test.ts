import { describe, expect, it } from "vitest";
import { consentLimits } from "./limits.ts";

describe("CON-3 limits are closed and mean one thing", () => {
  it.each<[string, object]>([
    ["nothing", {}],
    ["an amount with its currency", { max_total_minor: 0, currency: "JPY" }],
    ["a count of a week", { periods: { week: { max_actions: 1 } } }],
    ["an amount in all periods", everyPeriod({ max_total_minor: 100, currency: "EUR" })],
    ["payees and items", { payees: ["shop.example"], items: ["TL-200"] }],
    ["hours of working days", { hours: { zone: "Asia/Kolkata", from: "22:00", to: "06:00", days: ["mon", "fri"] } }],
    ["hours up to midnight", { hours: { zone: "UTC", from: "00:00", to: "24:00" } }],
  ])("%s is taken", (_name, limits) => {
    expect(consentLimits.parse(limits)).toEqual(limits);
  });

  it.each<[string, object]>([
    ["an unknown limit", { max_quantity: 1 }],
    ["an amount without a currency", { max_total_minor: 1 }],
    ["a currency without an amount", { currency: "EUR" }],
    ["a currency that is none", { max_total_minor: 1, currency: "XXY" }],
    ["a negative amount", { max_total_minor: -1, currency: "EUR" }],
    ["an amount with a fraction", { max_total_minor: 1.5, currency: "EUR" }],
    ["a period that is none", { periods: { year: { max_actions: 1 } } }],
    ["a period without a limit", { periods: { day: {} } }],
    ["a period's amount without a currency", { periods: { day: { max_total_minor: 1 } } }],
    ["no action at all", { periods: { day: { max_actions: 0 } } }],
    [
      "two currencies",
      { max_total_minor: 1, currency: "EUR", periods: { day: { max_total_minor: 1, currency: "USD" } } },
    ],
    ["no payee at all", { payees: [] }],
    ["no item at all", { items: [] }],
    ["more payees than a record can hold", { payees: Array.from({ length: 21 }, (_, i) => `shop${i}.example`) }],
    ["hours of no zone", { hours: { from: "08:00", to: "18:00" } }],
    ["hours of an unknown zone", { hours: { zone: "Mars/Base", from: "08:00", to: "18:00" } }],
    ["hours of an offset, which has no daylight saving", { hours: { zone: "+02:00", from: "08:00", to: "18:00" } }],
    ["hours of no length", { hours: { zone: "UTC", from: "08:00", to: "08:00" } }],
    ["hours from 24:00", { hours: { zone: "UTC", from: "24:00", to: "08:00" } }],
    ["hours in other digits", { hours: { zone: "UTC", from: "8:00", to: "18:00" } }],
    ["hours on no day", { hours: { zone: "UTC", from: "08:00", to: "18:00", days: [] } }],
    ["hours on a day that is none", { hours: { zone: "UTC", from: "08:00", to: "18:00", days: ["Mon"] } }],
    ["null", { payees: null }],
  ])("%s is refused", (_name, limits) => {
    expect(consentLimits.safeParse(limits).success).toBe(false);
  });
});

function everyPeriod(limit: object): object {
  return { periods: { day: limit, week: limit, month: limit, total: limit } };
}
