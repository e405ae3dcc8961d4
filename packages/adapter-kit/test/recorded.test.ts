import { type AdapterCheck, parseRecording, recordedSite, reportLines, runCheck } from "@countersign/adapter-kit";
import { assert } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { check } from "../src/template/check.ts";

const BILL = {
  id: "bl_1",
  number: "1",
  title: "Gas",
  issued: "1 November 2026",
  due: "10 December 2026",
  total: "€20.00",
  open: "€20.00",
  status: "open",
};
const OFFER = {
  bill: BILL,
  amount: "€20.00",
  fee: "€0.35",
  total: "€20.35",
  pay_on: "1 December 2026",
  method: { id: "pm_1", label: "card" },
};
const PAID = { number: "PM-1", bill: "bl_1", total: "€20.35", reference: null };
const get = (path: string, body: object, when: readonly string[] = []) => ({
  method: "GET",
  path,
  when,
  status: when.includes("ended_session") ? 401 : 200,
  body,
});
const text = JSON.stringify({
  v: 1,
  origin: "https://power.example",
  person: [{ email: "alex@mail.example", password: "made up 1" }],
  exchanges: [
    { method: "POST", path: "/api/session", status: 200, body: { token: "made-up-token-123" } },
    get("/api/me", { id: "c_1", name: "Alex", methods: [] }),
    get("/api/me", {}, ["ended_session"]),
    get("/api/bills", { bills: [BILL] }),
    get("/api/bills", { bills: [{ ...BILL, open: "€0.00", status: "paid" }] }, ["after"]),
    get("/api/bills", {}, ["ended_session"]),
    get("/api/bills/bl_1/payment", OFFER),
    get("/api/bills/bl_1/payment", { ...OFFER, fee: "€2.35", total: "€22.35" }, ["changed_terms"]),
    get("/api/bills/bl_1/payment", {}, ["ended_session"]),
    get("/api/payments", { payments: [] }),
    get("/api/payments", { payments: [PAID] }, ["after"]),
    get("/api/payments", {}, ["ended_session"]),
    {
      method: "POST",
      path: "/api/payments",
      status: 201,
      body: { payment: PAID },
      effect: { operation: "utilities.bill.pay", ref: "PM-1", facts: { total_minor: 2035 } },
    },
  ],
});

function recorded(from: string): AdapterCheck {
  const recording = parseRecording(from);
  assert(recording.ok, recording.ok ? "" : recording.reason);
  return {
    ...check,
    open: async () => recordedSite(recording.value),
    operations: [
      { operation: "utilities.bills.list", params: { limit: 5 } },
      { operation: "utilities.bill.pay", params: { bill_ref: "bl_1", max_total_minor: 5_000, currency: "EUR" } },
    ],
  };
}

describe("recorded answers", () => {
  it("an adapter is tried at them, and what was not recorded is not tried", async () => {
    const report = await runCheck(recorded(text));
    expect(report.broken, reportLines(report).join("\n")).toEqual([]);
    expect(report.faults).toContain("changed_terms");
    expect(report.not_tried.map(({ fault }) => fault)).toContain("second_factor");
    // The recording's payment has no reference, so that this adapter cannot tell that it is its own.
    expect(report.notes.join()).toContain("cannot tell");
  });

  it.each([
    ["no JSON", "{"],
    ["of another version", text.replace('"v":1', '"v":2')],
    ["with a member that nobody knows", text.replace('"v":1', '"v":1,"w":1')],
    ["with a condition that nobody knows", text.replace('"changed_terms"', '"rain"')],
  ])("one that is %s is none", (_, broken) => expect(parseRecording(broken).ok).toBe(false));
});
