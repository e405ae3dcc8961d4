import type { ConsentLimits } from "@countersign/gateway/trusted-contract";
import { describe, expect, it } from "vitest";
import { type LimitDraft, limitsOf, openLimits } from "./limits-draft.ts";

const eur = (minor: number) => ({ max_total_minor: minor, currency: "EUR" });
const ASKED: ConsentLimits = {
  ...eur(6000),
  periods: { day: { ...eur(9000), max_actions: 3 }, total: { max_actions: 20 } },
  payees: ["shop.example", "other.example"],
  items: ["TL-200", "TL-300"],
  hours: { zone: "Europe/Berlin", from: "08:00", to: "24:00", days: ["mon", "tue"] },
};
const draft = openLimits(ASKED);
const hours = draft.hours ?? { zone: "", from: "", to: "", days: [] };
const withDay = (change: object) => ({ periods: { ...draft.periods, day: { ...draft.periods.day, ...change } } });

describe("CON-3 limits as a person chooses them", () => {
  it.each<[string, ConsentLimits]>([
    ["everything", ASKED],
    ["nothing", {}],
    ["a count alone", { periods: { month: { max_actions: 1 } } }],
    ["a currency without digits", { periods: { week: { max_total_minor: 500, currency: "JPY" } } }],
    ["hours past midnight", { hours: { zone: "UTC", from: "22:00", to: "06:00" } }],
  ])("untouched, %s stays as it was asked", (_name, asked) => {
    expect(limitsOf(asked, openLimits(asked))).toEqual({ limits: asked, problems: [] });
  });

  it("CON-4 each can be made narrower", () => {
    const narrower = limitsOf(ASKED, {
      ...draft,
      ...withDay({ amount: "89.99", count: "2" }),
      payees: "other.example",
      items: "\n TL-300 \n",
      hours: { ...hours, from: "09:00", to: "17:00", days: ["tue"] },
    });
    expect(narrower.limits).toEqual({
      ...eur(6000),
      periods: { day: { ...eur(8999), max_actions: 2 }, total: { max_actions: 20 } },
      payees: ["other.example"],
      items: ["TL-300"],
      hours: { zone: "Europe/Berlin", from: "09:00", to: "17:00", days: ["tue"] },
    });
  });

  it.each<[string, Partial<LimitDraft>, string]>([
    ["a higher amount", { amount: "60.01" }, "amount"],
    ["no amount", { amount: "" }, "amount"],
    ["a higher amount a day", withDay({ amount: "90.01" }), "periods"],
    ["no amount a day", withDay({ amount: "" }), "periods"],
    ["more actions a day", withDay({ count: "4" }), "periods"],
    ["no count a day", withDay({ count: "" }), "periods"],
    ["half an action", withDay({ count: "1.5" }), "periods"],
    ["no action", withDay({ count: "0" }), "periods"],
    ["another payee", { payees: "third.example" }, "payees"],
    ["no payee", { payees: " \n" }, "payees"],
    ["another item", { items: "TL-200\nTL-400" }, "items"],
    ["no hours", { hours: undefined }, "hours"],
    ["earlier hours", { hours: { ...hours, from: "07:59" } }, "hours"],
    ["hours past midnight", { hours: { ...hours, from: "09:00", to: "08:30" } }, "hours"],
    ["another day", { hours: { ...hours, days: ["mon", "wed"] } }, "hours"],
    ["another zone", { hours: { ...hours, zone: "Europe/Paris" } }, "hours"],
    ["no day", { hours: { ...hours, days: [] } }, "hours"],
    ["no time", { hours: { ...hours, from: "" } }, "hours"],
  ])("CON-4 %s is a problem of its field", (_name, change, problem) => {
    expect(limitsOf(ASKED, { ...draft, ...change })).toEqual({ problems: [problem] });
  });

  it("hours of a place that is no zone cannot be granted", () => {
    const open = openLimits({});
    expect(limitsOf({}, { ...open, hours: { ...hours, zone: "Berlin" } }).problems).toEqual(["hours"]);
  });
});
