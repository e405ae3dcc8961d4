import { formatMoney } from "@countersign/wire";
import fc from "fast-check";
import { expect, it } from "vitest";
import { moneyText } from "./money-text.ts";

const CURRENCIES = [
  ["JPY", 0],
  ["KRW", 0],
  ["EUR", 2],
  ["HUF", 2],
  ["USD", 2],
  ["KWD", 3],
  ["TND", 3],
  ["CLF", 4],
] as const;
const LOCALES = ["en-US", "en-IN", "de-DE", "fr-FR", "ja-JP", "ar-EG", "pt-PT", "hi-IN"] as const;

/** The figure of a written amount, its locale's digits turned into ours. */
function figureOf(text: string, locale: string): string {
  const own = new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210);
  const digits = new Map([...own].map((digit, i) => [digit, String(9 - i)]));
  return [...text].map((char) => digits.get(char) ?? "").join("");
}

it("U55 says exactly the minor units, whatever the locale writes around them", () => {
  const minor = fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
  fc.assert(
    fc.property(minor, fc.constantFrom(...CURRENCIES), fc.constantFrom(...LOCALES), (amount, [currency], locale) => {
      const exact = formatMoney({ minor: amount, currency }, "amount").replace(".", "");
      const without = moneyText({ minor: amount, currency }, locale).replace(/[A-Z]{3}/, "");
      expect(figureOf(without, locale)).toBe(exact);
    }),
    { numRuns: 600 },
  );
});

it.each([
  [4990, "EUR", "en-US", "€49.90"],
  [4990, "EUR", "de-DE", "49,90\u00a0€"],
  [4990, "JPY", "en-US", "¥4,990"],
  [4990, "KWD", "en-US", "KWD\u00a04.990"],
  [90071992547409_91, "USD", "en-US", "$90,071,992,547,409.91"],
  [123456789, "USD", "en-IN", "$12,34,567.89"],
  [500, "HUF", "en-US", "HUF\u00a05.00"],
])("%i %s in %s is %s", (minor, currency, locale, text) => {
  expect(moneyText({ minor, currency }, locale)).toBe(text);
});

it("U55 does not guess the digits of a currency that it does not know", () => {
  expect(moneyText({ minor: 500, currency: "XXQ" }, "en-US")).toBe("500 XXQ");
  expect(moneyText({ minor: 1.5, currency: "EUR" }, "en-US")).toBe("1.5 EUR");
});
