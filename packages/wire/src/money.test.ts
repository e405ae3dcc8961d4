import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CURRENCY_DIGITS, CURRENCY_SIGNS } from "./currencies.ts";
import { addMinor, currencyDigits, formatMoney, multiplyMinor, parseAmountText, parseMinor } from "./index.ts";

const MAX = Number.MAX_SAFE_INTEGER;
const currency = fc.constantFrom(...CURRENCY_DIGITS.keys());
const minor = fc.oneof(fc.nat(), fc.integer({ min: 0, max: MAX }));

describe("U55 currencies", () => {
  test.each([
    ["JPY", 0],
    ["KRW", 0],
    ["USD", 2],
    ["EUR", 2],
    ["HUF", 2],
    ["IDR", 2],
    ["KWD", 3],
    ["TND", 3],
    ["CLF", 4],
    ["UYW", 4],
  ])("%s has %i digits", (code, digits) => {
    expect(currencyDigits(code)).toEqual({ ok: true, value: digits });
  });

  test.each(["ABC", "XXX", "XAU", "eur", "EUR ", "", "constructor", "HRK", "BGN"])("%j is unknown, not two", (code) => {
    expect(currencyDigits(code)).toEqual({ ok: false, reason: "unknown_currency" });
  });

  test("every code is three letters, once; every sign belongs to a known code", () => {
    expect(CURRENCY_DIGITS.size).toBe(165);
    for (const code of CURRENCY_DIGITS.keys()) expect(code).toMatch(/^[A-Z]{3}$/);
    for (const code of CURRENCY_SIGNS.keys()) expect(CURRENCY_DIGITS.has(code)).toBe(true);
  });
});

describe("parseMinor", () => {
  test.each([
    [7500.5, "not_an_integer"],
    ["7500", "not_a_number"],
    [2 ** 53, "too_large"],
    // biome-ignore lint/correctness/noPrecisionLoss: the lost precision is the case.
    [9007199254740993, "too_large"],
    [Number.POSITIVE_INFINITY, "too_large"],
    [-1, "negative"],
    [-0, "negative"],
    [Number.NaN, "not_a_number"],
    [7500n, "not_a_number"],
    [true, "not_a_number"],
    [null, "not_a_number"],
    [[7500], "not_a_number"],
  ])("U55 refuses %s", (value, reason) => {
    expect(parseMinor(value)).toEqual({ ok: false, reason });
  });

  test("takes 0 to 2^53-1", () => {
    for (const value of [0, 1, 7500, MAX]) expect(parseMinor(value)).toEqual({ ok: true, value });
  });
});

describe("formatMoney", () => {
  test.each([
    [4490, "EUR", "44.90 EUR"],
    [5, "EUR", "0.05 EUR"],
    [0, "EUR", "0.00 EUR"],
    [-500, "EUR", "-5.00 EUR"],
    [4490, "JPY", "4490 JPY"],
    [4490, "KWD", "4.490 KWD"],
    [4490, "CLF", "0.4490 CLF"],
    [MAX, "USD", "90071992547409.91 USD"],
  ])("%i %s is %s", (value, code, text) => {
    expect(formatMoney({ minor: value, currency: code })).toBe(text);
  });

  test("styles", () => {
    expect(formatMoney({ minor: 4490, currency: "EUR" }, "code_before")).toBe("EUR 44.90");
    expect(formatMoney({ minor: 4490, currency: "EUR" }, "amount")).toBe("44.90");
  });

  test("throws rather than guess", () => {
    expect(() => formatMoney({ minor: 1, currency: "ABC" })).toThrow("minor unit");
    expect(() => formatMoney({ minor: 0.5, currency: "EUR" })).toThrow("safe integer");
  });
});

describe("parseAmountText", () => {
  test.each([
    ["44.90", "EUR", ".", 4490],
    ["€44.90", "EUR", ".", 4490],
    ["44,90 €", "EUR", ",", 4490],
    ["44,90\u00a0€", "EUR", ",", 4490],
    ["EUR 44.90", "EUR", ".", 4490],
    ["$44.90 USD", "USD", ".", 4490],
    ["US$ 1,234.50", "USD", ".", 123450],
    ["1.234,50 €", "EUR", ",", 123450],
    ["1 234 567,50 €", "EUR", ",", 123456750],
    ["1\u202f234,50 €", "EUR", ",", 123450],
    ["CHF 1'234.50", "CHF", ".", 123450],
    ["Fr. 12.00", "CHF", ".", 1200],
    ["¥1,234", "JPY", ".", 1234],
    ["1,234円", "JPY", ".", 1234],
    ["KD 1.234", "KWD", ".", 1234],
    ["1.234 KWD", "KWD", ",", 1234000],
    ["80.6", "USD", ".", 8060],
    ["1.005", "KWD", ".", 1005],
    ["12", "EUR", ",", 1200],
    ["0.00", "EUR", ".", 0],
    ["90071992547409.91", "USD", ".", MAX],
  ] as const)("%j in %s with %j is %i", (text, code, decimal, value) => {
    expect(parseAmountText(text, { currency: code, decimal })).toEqual({
      ok: true,
      value: { minor: value, currency: code },
    });
  });

  test.each([
    ["1,234", "EUR", ",", "too_precise"],
    ["1.234", "EUR", ".", "too_precise"],
    ["44.900", "EUR", ".", "too_precise"],
    ["100.00", "JPY", ".", "too_precise"],
    ["44,90", "EUR", ".", "bad_grouping"],
    ["44.90", "EUR", ",", "bad_grouping"],
    ["12,34,567", "INR", ".", "bad_grouping"],
    ["1,234 567", "EUR", ".", "bad_grouping"],
    ["0,123", "EUR", ".", "bad_grouping"],
    ["1234,567", "EUR", ".", "bad_grouping"],
    ["007", "EUR", ".", "bad_grouping"],
    ["£44.90", "EUR", ".", "wrong_currency"],
    ["$44.90", "EUR", ".", "wrong_currency"],
    ["US$44.90", "CAD", ".", "wrong_currency"],
    ["44.90 USD", "EUR", ".", "wrong_currency"],
    ["$44.90 CAD", "USD", ".", "wrong_currency"],
    ["from 44.90", "EUR", ".", "wrong_currency"],
    ["$$5", "USD", ".", "wrong_currency"],
    ["-5.00", "EUR", ".", "negative"],
    ["\u22125.00", "EUR", ".", "negative"],
    ["€ -5.00", "EUR", ".", "negative"],
    ["(5.00)", "EUR", ".", "negative"],
    ["", "EUR", ".", "malformed"],
    ["€", "EUR", ".", "malformed"],
    [".50", "EUR", ".", "malformed"],
    ["44.", "EUR", ".", "malformed"],
    ["1.2.3", "EUR", ".", "malformed"],
    ["44,-", "EUR", ",", "malformed"],
    ["٤٤", "EUR", ".", "malformed"],
    ["4\u200b4", "EUR", ".", "malformed"],
    ["44.90 44.90", "EUR", ".", "malformed"],
    ["1e3", "EUR", ".", "wrong_currency"],
    ["90071992547409.92", "USD", ".", "too_large"],
    ["9".repeat(65), "USD", ".", "malformed"],
    ["5", "ABC", ".", "unknown_currency"],
  ] as const)("U55 %j in %s with %j is refused: %s", (text, code, decimal, reason) => {
    expect(parseAmountText(text, { currency: code, decimal })).toEqual({ ok: false, reason });
  });

  test("the decimal sign must be stated", () => {
    expect(() => parseAmountText("1,234", { currency: "EUR" } as never)).toThrow("decimal sign");
  });

  test("reads back what formatMoney wrote, also with grouping and the other sign", () => {
    fc.assert(
      fc.property(minor, currency, fc.constantFrom("code_after", "code_before", "amount"), (value, code, style) => {
        const money = { minor: value, currency: code };
        const text = formatMoney(money, style as "amount");
        expect(parseAmountText(text, { currency: code, decimal: "." })).toEqual({ ok: true, value: money });
        const [whole = "", fraction] = formatMoney(money, "amount").split(".");
        const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ".") + (fraction ? `,${fraction}` : "");
        expect(parseAmountText(grouped, { currency: code, decimal: "," })).toEqual({ ok: true, value: money });
      }),
    );
  });

  test("fuzz: never throws", () => {
    const soup = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9.,' €$-]{0,12}$/));
    fc.assert(
      fc.property(soup, currency, fc.constantFrom(".", ","), (text, code, decimal) => {
        const parsed = parseAmountText(text, { currency: code, decimal: decimal as "." });
        if (parsed.ok) expect(parseMinor(parsed.value.minor).ok).toBe(true);
      }),
    );
  });
});

describe("sums", () => {
  test("agree with exact arithmetic or say overflow", () => {
    const whole = fc.oneof(fc.integer(), fc.maxSafeInteger());
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        for (const [result, exact] of [
          [addMinor(a, b), BigInt(a) + BigInt(b)],
          [multiplyMinor(a, b), BigInt(a) * BigInt(b)],
        ] as const) {
          const fits = exact <= BigInt(MAX) && exact >= -BigInt(MAX);
          expect(result).toEqual(fits ? { ok: true, value: Number(exact) } : { ok: false, reason: "overflow" });
        }
      }),
    );
  });

  test("no -0, no fractions", () => {
    const zero = multiplyMinor(-5, 0);
    expect(zero.ok && Object.is(zero.value, 0)).toBe(true);
    expect(addMinor(MAX, 1)).toEqual({ ok: false, reason: "overflow" });
    expect(() => addMinor(0.1, 1)).toThrow("safe integer");
    expect(() => multiplyMinor(1, 1.5)).toThrow("safe integer");
  });
});
