import { expect, test } from "vitest";
import vector from "../../fixtures/evidence.json" with { type: "json" };
import { verifyBundle } from "./bundle.ts";
import { TRUST } from "./example.ts";
import { levelInWords, refusalInWords } from "./words.ts";

test("APR-7 a level and a refusal are told in words that say no more than the evidence", async () => {
  const good = await verifyBundle(JSON.stringify(vector.bundle), TRUST);
  expect(good.ok && levelInWords(good.value.level)).toMatch(/enrolled passkey, and in the log/);
  const bad = await verifyBundle(JSON.stringify({ ...vector.bundle, receipt: vector.bundle.approval }), TRUST);
  expect(bad.ok ? "" : refusalInWords(bad.reason)).toBe("another kind of record stands in this place");
  for (const level of ["L1", "L2", "L3", "L4"] as const)
    expect(levelInWords(level)).not.toMatch(/legally|contract|mandate|non-repudia|customer/);
});
