import fc from "fast-check";
import { expect, it } from "vitest";
import { TEXT_INPUT_CHARS_MAX, textInputs } from "./text.ts";

it("cuts any text into whole characters that join to the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 6_000 }), (text) => {
      const inputs = textInputs(text);
      expect(inputs.map((i) => i.text).join("")).toBe(text);
      for (const { text: part } of inputs) {
        expect(part.length).toBeGreaterThan(0);
        expect(part.length).toBeLessThanOrEqual(TEXT_INPUT_CHARS_MAX);
        expect(part.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

it("never cuts a pair in two, and makes nothing of nothing", () => {
  expect(textInputs(`${"x".repeat(TEXT_INPUT_CHARS_MAX - 1)}😀`).map((i) => i.text.length)).toEqual([
    TEXT_INPUT_CHARS_MAX - 1,
    2,
  ]);
  expect(textInputs("")).toEqual([]);
});
