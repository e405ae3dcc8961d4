import type { Answer } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import type { HttpAnswer, HttpSession } from "@countersign/route-http";
import { secret } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { orderSubmit } from "./order-submit.ts";
import { bankCode } from "./verification.ts";

const record = {
  parameters: { item_ref: "TL-200", quantity: 1, max_total_minor: 6000, currency: "EUR", fulfillment_ref: "det_1" },
  terms: { currency: "EUR", total_minor: 4990 },
} as unknown as ActionRecord;
const state = { v: 1, verification_id: "v_1" };
const answer = (status: number, json: object): Answer => ({
  status,
  headers: [["content-type", "application/json"]],
  body: new TextEncoder().encode(JSON.stringify(json)),
});

/** What the adapter makes of one answer of the shop's to the code. */
async function answered(given: HttpAnswer, from: Parameters<typeof bankCode.submit>[3] = state) {
  const sent: unknown[] = [];
  const session = {
    kind: "http",
    origin: "https://shop.example",
    fetch: async (path: string, init: unknown) => {
      sent.push([path, init]);
      return given;
    },
  } as unknown as HttpSession;
  const values = new Map([["code", secret("123456")]]);
  return { came: await bankCode.submit(undefined as never, session, record, from, values), sent };
}

describe("MFA-6 the shop's demand for a bank's code", () => {
  it("is recognised in its own status and form only", () => {
    const demand = { verification_id: "v_1", status: "pending" };
    expect(orderSubmit.recognise(answer(202, demand), record)).toEqual({ kind: "verify", state });
    expect(orderSubmit.recognise(answer(200, demand), record)).toEqual({ kind: "unknown" });
    expect(orderSubmit.recognise(answer(202, { ...demand, status: "passed" }), record)).toEqual({ kind: "unknown" });
    expect(orderSubmit.recognise(answer(202, { ...demand, verification_id: "../me" }), record)).toEqual({
      kind: "unknown",
    });
  });

  it("sends the code to the one place, once", async () => {
    const { sent } = await answered({ kind: "answer", status: 422, json: { error: "wrong_code" } });
    expect(sent).toEqual([["/api/v1/verifications/v_1", { method: "POST", body: { code: "123456" } }]]);
  });

  it.each([
    [422, "wrong_code", "waiting"],
    [422, "payment_declined", "refused"],
    [422, "out_of_stock", "unknown"],
    [410, "verification_over", "unknown"],
    [429, "rate_limited", "unknown"],
    [500, "internal", "unknown"],
    [201, "wrong_code", "unknown"],
    [200, "payment_declined", "unknown"],
  ] as const)("STA-4 %i %s is %s", async (status, error, kind) => {
    expect((await answered({ kind: "answer", status, json: { error } })).came).toMatchObject({ kind });
  });

  it("signed out, or a state of another version, is unknown, and the latter sends nothing", async () => {
    expect((await answered({ kind: "signed_out" })).came).toEqual({ kind: "unknown" });
    const other = await answered({ kind: "signed_out" }, { v: 2, verification_id: "v_1" });
    expect(other).toEqual({ came: { kind: "unknown" }, sent: [] });
  });
});
