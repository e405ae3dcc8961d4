import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { offerOf as autopayOffer } from "./autopay-set.ts";
import { billPay, offerOf } from "./bill-pay.ts";
import { factOf, type Look, printedDay, printedMinor, rowsOf } from "./view.ts";

const FACTS = {
  Bill: "Electricity, October",
  "Bill number": "NL-208841",
  "Due on": "12 December 2026",
  "Still to pay": "€92.08",
  Amount: "€92.08",
  Fee: "€0.35",
  Total: "€92.43",
  "Pay with": "Visa card ending 4242",
  "Paid on": "30 November 2026",
  "Your reference": "CS-1",
};

function seen(facts: Readonly<Record<string, string>>, heading = "Check and pay"): Look {
  return { heading, alerts: [], facts: Object.entries(facts), tables: [] };
}

const trouble = expect.objectContaining({ name: "SiteTrouble" });

describe("amounts and days as the views print them", () => {
  it.each([
    ["€0.00", 0],
    ["€1,092.08", 109_208],
    ["-€18.40", -1_840],
  ])("%s", (text, minor) => {
    expect(printedMinor(text)).toBe(minor);
  });

  it.each(["92.08", "€92", "€92.8", "€92.08 ", "$92.08", "€1.092,08", "€10,92.08", "-€0.00", "€ 92.08", ""])(
    "U55 %j is no amount",
    (text) => {
      expect(() => printedMinor(text)).toThrow(trouble);
    },
  );

  it("reads a day, and only one that is one", () => {
    expect(printedDay("1 February 2027")).toBe("2027-02-01");
    for (const text of ["30 February 2027", "01/02/2027", "2027-02-01", "1 February", ""])
      expect(() => printedDay(text)).toThrow(trouble);
  });
});

describe("the last screen of a payment", () => {
  const body = { kind: "payment", bill: "208841" };

  it("is what it says", () => {
    expect(offerOf(seen(FACTS), body)).toMatchObject({
      billRef: "208841",
      dueOn: "2026-12-12",
      openMinor: 9_208,
      amountMinor: 9_208,
      feeMinor: 35,
      totalMinor: 9_243,
      instrument: "Visa card ending 4242",
      payOn: "2026-11-30",
    });
  });

  it.each([
    ["another bill", { ...FACTS, "Bill number": "NL-208833" }],
    ["figures that do not add up", { ...FACTS, Total: "€92.44" }],
    ["a term that is not known", { ...FACTS, Discount: "€1.00" }],
    ["a fee below nothing", { ...FACTS, Fee: "-€0.35", Total: "€91.73" }],
    ["no way to pay", { ...FACTS, "Pay with": "" }],
  ])("U27 with %s is unreadable", (_, facts) => {
    expect(() => offerOf(seen(facts), body)).toThrow(trouble);
  });

  it("with a term that stands twice is unreadable", () => {
    const twice = { ...seen(FACTS), facts: [...Object.entries(FACTS), ["Total", "€1.00"] as const] };
    expect(() => factOf(twice, "Total")).toThrow(trouble);
  });
});

describe("the last screen of automatic payment", () => {
  const on = {
    Contract: "Electricity at home",
    "Bills are paid by themselves": "on",
    "Until now": "off",
    "Charged to": "Visa card ending 4242",
    "When it is charged": "On the day each bill is due",
    "For the first time on": "11 January 2027",
    "You agree": "Northlight Energy may charge it.",
    "Your reference": "",
  };
  const body = { kind: "autopay", contract: "447103", autopay: "on" };

  it("is what it says", () => {
    expect(autopayOffer(seen(on), body)).toMatchObject({ present: "off", on: { firstOn: "2027-01-11" } });
  });

  it("of the other setting, or without what is agreed to, is unreadable", () => {
    expect(() => autopayOffer(seen({ ...on, "Bills are paid by themselves": "off" }), body)).toThrow(trouble);
    const { "You agree": _, ...rest } = on;
    expect(() => autopayOffer(seen(rest), body)).toThrow(trouble);
  });
});

describe("a table", () => {
  const row = { cells: ["a", "b"], href: "" };
  const table = { caption: "Your bills", head: ["A", "B"], body: [row] };
  const view = (tables: Look["tables"]): Look => ({ heading: "", alerts: [], facts: [], tables });

  it("is read when it is the one, with its columns and whole rows", () => {
    expect(rowsOf(view([table]), "Your bills", ["A", "B"])).toEqual([row]);
    for (const other of [
      [],
      [table, table],
      [{ ...table, head: ["B", "A"] }],
      [{ ...table, body: [{ ...row, cells: ["a"] }] }],
    ])
      expect(() => rowsOf(view(other), "Your bills", ["A", "B"])).toThrow(trouble);
  });
});

describe("the answer of the page's own request", () => {
  const record = {
    issuer: "https://gateway.example",
    task_id: "task_1",
    operation: "utilities.bill.pay",
    parameters: { bill_ref: "208841" },
    terms: { amount_minor: 9_208, instrument: "Visa card ending 4242", pay_on: "2026-11-30" },
  } as unknown as ActionRecord;
  const answer = (status: number, body: string) => ({
    status,
    headers: [["content-type", "application/json"] as const],
    body: new TextEncoder().encode(body),
  });

  it("is no confirmation when it is somebody else's, a page, or half", () => {
    const payment = {
      number: "NP-88012",
      status: "paid",
      made_at: "2026-11-30T12:00:00.000Z",
      bill: "208841",
      method_label: "Visa card ending 4242",
      currency: "EUR",
      amount_cents: 9_208,
      total_cents: 9_243,
      pay_on: "2026-11-30",
      reference: "somebody else's",
    };
    for (const body of [JSON.stringify(payment), "<html>", JSON.stringify(payment).slice(0, 40)])
      expect(billPay.recognise(answer(201, body), record)).toEqual({ kind: "unknown" });
    expect(billPay.recognise(answer(503, '{"errors":[{"code":"declined"}]}'), record)).toEqual({ kind: "unknown" });
    expect(billPay.recognise(answer(422, '{"errors":[{"code":"declined","message":"x"}]}'), record)).toMatchObject({
      kind: "refused",
    });
  });
});
