import type { Ctx, Submission } from "@countersign/plugin";
import { fingerprintOf, type JsonObject, matchOwn, ownReference, traceOf } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import type { HttpAnswer, HttpSession } from "@countersign/route-http";
import { describe, expect, it } from "vitest";
import { ownPayments } from "../browser/bill-pay.ts";
import { billPay } from "./commits.ts";

const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "utilities.bill.pay",
  created_at: "2026-11-30T12:00:00.000Z",
  parameters: { bill_ref: "208841" },
  terms: { bill_number: "NL-208841", amount_minor: 9_208, instrument: "Visa card ending 4242", pay_on: "2026-11-30" },
} as unknown as ActionRecord;
const OWN = ownReference(record);

const payment = (change: JsonObject = {}): JsonObject => ({
  number: "NP-88012",
  status: "paid",
  made_at: "2026-11-30T12:01:00.000Z",
  bill: "208841",
  method_label: "Visa card ending 4242",
  currency: "EUR",
  amount_cents: 9_208,
  total_cents: 9_243,
  pay_on: "2026-11-30",
  reference: OWN,
  ...change,
});

/** A site that lists these payments and answers so about the draft. */
function readBack(payments: readonly JsonObject[], draft: HttpAnswer, fingerprint = fingerprintOf(record, "draft-1")) {
  const session: Pick<HttpSession, "fetch"> = {
    async fetch(path) {
      if (path.startsWith("/api/drafts/")) return draft;
      return { kind: "answer", status: 200, json: { currency: "EUR", page: 1, pages: 1, payments: [...payments] } };
    },
  };
  const submission: Pick<Submission, "fingerprint" | "record"> = { fingerprint, record };
  return billPay.readBack({} as Ctx, session as HttpSession, submission as Submission);
}

const refused = (status: number, code: string): HttpAnswer => ({
  kind: "answer",
  status,
  json: { errors: [{ code, message: "" }] },
});
const DONE = refused(409, "draft_done");
const OVER = refused(410, "draft_expired");

describe("reading a payment back by the API", () => {
  it("PUB-6 finds the one with the task's mark", async () => {
    const others = [payment({ number: "NP-1", reference: "" })];
    expect(await readBack([payment(), ...others], DONE)).toMatchObject({ kind: "found", confirmation: "NP-88012" });
  });

  it.each([
    ["of another bill", payment({ bill: "208833" })],
    ["of another amount", payment({ amount_cents: 100 })],
    ["by another way", payment({ method_label: "Bank account ending 3000" })],
  ])("one with the mark that is %s is unclear", async (_, other) => {
    expect(await readBack([other], DONE)).toMatchObject({ kind: "unclear" });
  });

  it("two with the mark are unclear", async () => {
    expect(await readBack([payment(), payment({ number: "NP-2" })], DONE)).toMatchObject({ kind: "unclear" });
  });

  it("STA-4 none is absent only when the draft says so too", async () => {
    expect(await readBack([], OVER)).toEqual({ kind: "absent" });
    expect(await readBack([], refused(422, "nothing_to_pay"))).toEqual({ kind: "absent" });
    expect(await readBack([], DONE)).toMatchObject({ kind: "unclear" });
    expect(await readBack([], { kind: "signed_out" })).toEqual({ kind: "sign_in" });
    await expect(readBack([], refused(500, "other"))).rejects.toThrow(expect.objectContaining({ name: "SiteTrouble" }));
  });

  it("an equal one of the person's own is not ours", async () => {
    expect(await readBack([payment({ reference: "" })], OVER)).toEqual({ kind: "absent" });
  });

  it("U04 where only the record has survived, an equal one since then is unclear, and an older one is not", async () => {
    const trace = traceOf(record);
    expect(await readBack([payment({ reference: "" })], OVER, trace)).toMatchObject({ kind: "unclear" });
    const old = payment({ reference: "", made_at: "2026-11-30T11:00:00.000Z" });
    expect(await readBack([old], OVER, trace)).toEqual({ kind: "absent" });
    expect(await readBack([payment({ reference: "", bill: "208833" })], OVER, trace)).toEqual({ kind: "absent" });
  });

  it("U45 a fingerprint of another version is not guessed", async () => {
    expect(await readBack([payment()], DONE, { v: 1, own_reference: OWN })).toMatchObject({ kind: "unclear" });
  });
});

describe("reading a payment back in the list of payments", () => {
  const row = (change: Readonly<Record<number, string>> = {}) => ({
    href: "/payments/NP-88012",
    cells: [
      "NP-88012",
      "NL-208841",
      "Paid",
      "30 November 2026",
      "Visa card ending 4242",
      OWN,
      "€92.08",
      "€0.35",
      "€92.43",
    ].map((cell, at) => change[at] ?? cell),
  });
  const found = (rows: readonly ReturnType<typeof row>[], alike = false) =>
    matchOwn(rows, { ownReference: OWN, alike }, record, ownPayments);

  it("is the one with the task's mark, with its total and state", () => {
    expect(found([row({ 0: "NP-1", 5: "" }), row()])).toMatchObject({
      kind: "found",
      confirmation: "NP-88012",
      result: { total_minor: 9_243, status: "paid" },
    });
    expect(found([row({ 2: "Scheduled" })])).toMatchObject({ result: { status: "scheduled" } });
  });

  it("is unclear with two, or with one of something else", () => {
    expect(found([row(), row()])).toMatchObject({ kind: "unclear" });
    expect(found([row({ 1: "NL-208833" })])).toMatchObject({ kind: "unclear" });
  });

  it("is none without the mark, and unclear where only the record has survived", () => {
    expect(found([row({ 5: "" })])).toEqual({ kind: "none" });
    expect(found([row({ 5: "" })], true)).toMatchObject({ kind: "unclear" });
    expect(found([row({ 5: "", 6: "€92.07" })], true)).toEqual({ kind: "none" });
  });

  it("U55 a row that cannot be read is trouble", () => {
    for (const change of [{ 0: "TR-1" }, { 2: "Perhaps" }, { 8: "€92,43" }])
      expect(() => found([row(change)])).toThrow(expect.objectContaining({ name: "SiteTrouble" }));
  });
});
