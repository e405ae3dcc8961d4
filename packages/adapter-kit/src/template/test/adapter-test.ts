import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reportLines, runCheck } from "@countersign/adapter-kit";
import type { ActionRecord } from "@countersign/plugin/site";
import { check } from "../check.ts";
import { billPay } from "../src/bill-pay.ts";

const record = { parameters: { bill_ref: "bl_2611" } } as unknown as ActionRecord;

function recognised(status: number, body: unknown) {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return billPay.recognise({ status, headers: [], body: bytes }, record).kind;
}

describe("example-power", () => {
  it("keeps every promise at the tiny site, with every fault on", async () => {
    const report = await runCheck(check);
    assert.equal(report.passed, true, reportLines(report).join("\n"));
    assert.deepEqual(report.not_tried, []);
  });

  it("recognises the site's own confirmation, and nothing else", () => {
    const payment = { number: "PM-1", bill: "bl_2611", total: "€1,086.75", reference: null };
    assert.equal(recognised(201, { payment }), "confirmed");
    assert.equal(recognised(200, { payment }), "unknown");
    assert.equal(recognised(201, { payment: { ...payment, bill: "bl_2610" } }), "unknown");
    assert.equal(recognised(201, { payment: { ...payment, total: "€1,234" } }), "confirmed");
    assert.equal(recognised(502, "<h1>Bad gateway</h1>"), "unknown");
  });
});
