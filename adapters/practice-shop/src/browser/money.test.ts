import { currencyDigits } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMinor, readMoney, readQuantity } from "./money.ts";

describe("amounts of the shop's pages", () => {
  it.each([
    ["€49.90", { minor: 4990, currency: "EUR" }],
    ["€1,234.50", { minor: 123450, currency: "EUR" }],
    ["€0.00", { minor: 0, currency: "EUR" }],
    ["US$12.34", { minor: 1234, currency: "USD" }],
    ["JP¥4,990", { minor: 4990, currency: "JPY" }],
    ["KWD 1.234", { minor: 1234, currency: "KWD" }],
  ])("%s is read exactly", (text, money) => {
    expect(readMoney(text)).toEqual(money);
  });

  it.each([
    ["", "nothing"],
    ["49.90", "no currency"],
    ["$49.90", "somebody's dollar"],
    ["€49,90", "a decimal comma"],
    ["€4,99.0", "thousands that are none"],
    ["€49.905", "more decimals than the currency has"],
    ["-€49.90", "less than nothing"],
    ["€-49.90", "less than nothing"],
    ["€49.90 per month", "more than an amount"],
    ["XYZ 49.90", "a currency that is none"],
    ["€49.90€49.90", "two amounts"],
    ["JP¥49.90", "yen with decimals"],
  ])("U55 %s is not read: %s", (text) => {
    expect(() => readMoney(text)).toThrow(/cannot be read/);
  });

  it("U55 every amount of every currency of the shop comes back as it was written", () => {
    const currencies = fc.constantFrom("EUR", "GBP", "USD", "JPY", "KWD", "CHF");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), currencies, (minor, currency) => {
        const digits = currencyDigits(currency);
        const all = String(minor).padStart((digits.ok ? digits.value : 0) + 1, "0");
        const point = all.length - (digits.ok ? digits.value : 0);
        const decimal = point === all.length ? all : `${all.slice(0, point)}.${all.slice(point)}`;
        // The shop's own way: `Intl` formats the decimal text exactly.
        const text = new Intl.NumberFormat("en-IE", { style: "currency", currency }).format(
          decimal as Intl.StringNumericLiteral,
        );
        expect(readMoney(text)).toEqual({ minor, currency });
      }),
    );
  });

  it("one page has one currency", () => {
    expect(() => readMinor("£5.00", "EUR")).toThrow(/two currencies/);
  });

  it.each(["0", "01", "1.0", "1e1", "-1", " 1", "100000", ""])("%s is no quantity", (text) => {
    expect(() => readQuantity(text)).toThrow(/quantity/);
  });
});
