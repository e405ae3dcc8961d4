import type { Json, JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retailOrderSubmit } from "./operations/retail.order.submit.ts";
import { sumsThatDisagree } from "./sums.ts";

const { meaning } = retailOrderSubmit;
const terms = retailOrderSubmit.example.terms ?? {};
const withLines = (...lines: Json[]): JsonObject => ({ ...terms, lines });

describe("U27 totals beside what they are the sum of", () => {
  it("agree in the example, and in every list of amounts that adds up", () => {
    expect(sumsThatDisagree(meaning, terms)).toEqual([]);
    const line = fc.record({
      unit_minor: fc.integer({ min: -9999, max: 99_999 }),
      quantity: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 9 }), fc.integer({ min: -3, max: 3 }), (lines, off) => {
        const total = lines.reduce((sum, each) => sum + each.unit_minor * each.quantity, 0) + off;
        const disagree = sumsThatDisagree(meaning, { lines, total_minor: total });
        expect(disagree).toEqual(off === 0 ? [] : ["total_minor"]);
      }),
    );
  });

  it.each([
    ["one minor unit more", { ...terms, total_minor: 4991 }],
    ["a quantity that nobody multiplied", withLines({ unit_minor: 2495, quantity: 1 })],
    ["a total that is missing", { lines: terms["lines"] ?? [] }],
    ["a total in text", { ...terms, total_minor: "4990" }],
    ["lines that are missing", { total_minor: 0 }],
    ["a line that is no object", withLines(4990)],
    ["a line without its amount", withLines({ quantity: 1 })],
    ["a line without its quantity", withLines({ unit_minor: 4990 })],
    ["amounts beyond what integers hold", withLines({ unit_minor: Number.MAX_SAFE_INTEGER, quantity: 2 })],
  ])("disagree with %s", (_name, wrong) => {
    expect(sumsThatDisagree(meaning, wrong as JsonObject)).toEqual(["total_minor"]);
  });

  it("a total of other members agrees when they add up, and never when one of them is missing or no whole amount", () => {
    const meaning = { sums: [{ total: "total_minor", members: ["amount_minor", "fee_minor"] }] };
    const amount = fc.integer({ min: -99_999, max: 99_999 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: -3, max: 3 }), (a, b, off) => {
        const disagree = sumsThatDisagree(meaning, { amount_minor: a, fee_minor: b, total_minor: a + b + off });
        expect(disagree).toEqual(off === 0 ? [] : ["total_minor"]);
      }),
    );
    for (const wrong of [
      { amount_minor: 5, total_minor: 5 },
      { amount_minor: 5, fee_minor: "0", total_minor: 5 },
      { amount_minor: 5, fee_minor: 0 },
      { amount_minor: Number.MAX_SAFE_INTEGER, fee_minor: 1, total_minor: 5 },
      {},
    ] as readonly JsonObject[])
      expect(sumsThatDisagree(meaning, wrong)).toEqual(["total_minor"]);
  });

  it("an operation without sums has none to disagree", () => {
    expect(sumsThatDisagree({}, terms)).toEqual([]);
  });
});
