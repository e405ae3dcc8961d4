import type { Answer } from "@countersign/plugin";
import { fingerprintOf, matchOwn, ownReference, readFingerprint, traceOf } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { ownPayments, type ShownPayment, transferSubmit } from "./transfer-submit.ts";

const ORIGIN = "https://bank.example";
const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "banking.transfer.submit",
  created_at: "2026-11-30T12:00:00Z",
  route: { kind: "browser", origin: ORIGIN },
  parameters: { from_ref: "ba-everyday", payee_ref: "py-jo", amount_minor: 1_250, currency: "EUR" },
  terms: { currency: "EUR", total_minor: 1_300, execute_on: "2026-11-30" },
} as unknown as ActionRecord;
const OURS = ownReference(record);

const payment = (change: Partial<ShownPayment> = {}): ShownPayment => ({
  number: "TR-1",
  status: "executed",
  currency: "EUR",
  totalMinor: 1_300,
  executeOn: "2026-11-30",
  ownReference: OURS,
  ...change,
});
function find(payments: readonly ShownPayment[], made = fingerprintOf(record, "/payments/x/review")) {
  const print = readFingerprint(made);
  if (!print.ok) throw new Error(print.reason);
  return matchOwn(payments, print.value, record, ownPayments);
}

describe("STA-3 (U04) the payment of a submission", () => {
  it("is the one with the task's own reference, whatever it cost", () => {
    expect(find([payment({ number: "TR-2", ownReference: "" }), payment({ totalMinor: 1_400 })])).toMatchObject({
      kind: "found",
      confirmation: "TR-1",
      observed: { currency: "EUR", total_minor: 1_400 },
    });
  });

  it("another equal payment is not ours; where only the record has survived it cannot be told from ours", () => {
    const other = [payment({ ownReference: "" })];
    expect(find(other)).toEqual({ kind: "none" });
    expect(find(other, traceOf(record))).toMatchObject({ kind: "unclear" });
    expect(find([payment({ ownReference: "", executeOn: "2026-11-29" })], traceOf(record))).toEqual({ kind: "none" });
    expect(find([payment({ ownReference: "", totalMinor: 1_299 })], traceOf(record))).toEqual({ kind: "none" });
  });

  it("two with the same reference are one too many", () => {
    expect(find([payment(), payment({ number: "TR-2" })])).toMatchObject({ kind: "unclear" });
  });
});

describe("what an answer to the confirmation means", () => {
  const answer = (status: number, headers: Answer["headers"], body = ""): Answer => ({
    status,
    headers,
    body: new TextEncoder().encode(body),
  });
  const html: Answer["headers"] = [["content-type", "text/html; charset=utf-8"]];
  const to = (location: string): Answer => answer(303, [["location", location]]);

  it("only the bank's own redirect to a sent payment confirms", () => {
    expect(transferSubmit.recognise(to("/payments/TR-9/sent"), record)).toMatchObject({
      kind: "confirmed",
      confirmation: "TR-9",
      result: { transfer_ref: "TR-9", currency: "EUR", total_minor: 1_300, status: "accepted" },
    });
  });

  it.each([
    ["the log-in", to("/login")],
    ["another host", to("https://evil.example/payments/TR-9/sent")],
    ["a number that is none", to("/payments/x/sent")],
    ["another redirect", answer(302, [["location", "/payments/TR-9/sent"]])],
    [
      "two places",
      answer(303, [
        ["location", "/payments/TR-9/sent"],
        ["location", "/payments/TR-8/sent"],
      ]),
    ],
    ["an error page of a proxy", answer(502, html, "<h1>502 Server Error</h1>")],
    ["the refusal's words in another status", answer(200, html, "<h1>Your payment was not sent</h1>")],
    ["a form that is out of date", answer(403, html, "<h1>This page was out of date</h1>")],
  ])("STA-4 (U08) %s is unknown", (_, given) => {
    expect(transferSubmit.recognise(given, record)).toEqual({ kind: "unknown" });
  });

  it.each([
    [422, "Your payment was not sent"],
    [410, "This payment has lapsed"],
  ])("%i with the bank's own heading is refused", (status, heading) => {
    const given = answer(status, html, `<h1>${heading}</h1>`);
    expect(transferSubmit.recognise(given, record)).toMatchObject({ kind: "refused" });
  });
});
