import { verifyBundle } from "@countersign/profile";
import vector from "@countersign/profile/evidence-example" with { type: "json" };
import { assert } from "@countersign/wire";
import { expect, it } from "vitest";
import { stepsOf } from "../src/receipts/steps.ts";

const trust = { pin: vector.pin, issuer: vector.issuer };

async function steps(bundle: object) {
  const report = await verifyBundle(JSON.stringify(bundle), trust);
  assert(report.ok, `the evidence holds${report.ok ? "" : `, but: ${report.reason.code}`}`);
  return stepsOf(report.value);
}

it("every step of a whole bundle is a check that was made", async () => {
  const lines = await steps(vector.bundle);
  expect(lines.map((l) => l.step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(lines.every((l) => l.standing === "done")).toBe(true);
  expect(lines[5]?.note).toBe("notRendered");
});

it("without a log no step claims to have looked at one", async () => {
  const { log: _log, ...rest } = vector.bundle;
  const lines = await steps(rest);
  expect(lines.filter((l) => l.standing === "none").map((l) => [l.step, l.note])).toEqual([
    [3, "noLog"],
    [8, "noLog"],
  ]);
});

it("a receipt of what nobody decided claims no decision", async () => {
  const { typ, keys } = vector.bundle;
  const lines = await steps({ typ, keys, receipt: vector.receipt_of_a_denied_task });
  expect(lines.filter((l) => l.standing === "done").map((l) => l.step)).toEqual([1, 2, 9]);
});

it("text that was withheld was not compared", async () => {
  const { receipt: _receipt, log: _log, ...rest } = vector.bundle;
  const lines = await steps({ ...rest, disclosures: [] });
  expect(lines[5]).toEqual({ step: 6, standing: "none", note: "withheld" });
  expect(lines[8]).toEqual({ step: 9, standing: "none", note: "noReceipt" });
});
