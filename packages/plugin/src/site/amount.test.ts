import { formatMoney } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SiteTrouble } from "../seams/adapter.ts";
import { readAmount, readCount } from "./amount.ts";
import { must } from "./stop.ts";

const read = (text: string, locale: string | undefined, currency = "EUR") => {
  const amount = readAmount(text, { currency, locale });
  return amount.ok ? amount.value.minor : amount.reason;
};

describe("U55 an amount of a page", () => {
  it.each([
    ["€1,234.50", "en", 123_450],
    ["1.234,50 €", "de", 123_450],
    ["1 234,50 €", "fr", 123_450],
    ["CHF 1’234.50", "de-CH", "wrong_currency"],
    ["€1,234", "en", 123_400],
    ["1.234 €", "de", 123_400],
    ["12.40", "en-IE", 1_240],
  ])("%s on a page in %s is %s", (text, locale, minor) => expect(read(text, locale)).toBe(minor));

  it.each(["1,234", "1.234", "€1,234", "999.999"])("%s alone, with nothing known of the page, is ambiguous", (text) =>
    expect(read(text, undefined)).toBe("ambiguous"),
  );

  it.each([
    ["1,234.50", 123_450],
    ["1.234,50", 123_450],
    ["12,40", 1_240],
    ["12.40", 1_240],
    ["1 234", 123_400],
    ["1,234,567", 123_456_700],
  ])("%s can mean one amount only", (text, minor) => expect(read(text, undefined)).toBe(minor));

  it.each([
    ["1.234", "en"],
    ["1,234", "de"],
    ["12,40", "en"],
    ["1.234,50", "en"],
    ["1.234", "fr"],
    ["1,234", "de-CH"],
  ])("%s is none on a page in %s", (text, locale) => expect(read(text, locale)).toBeTypeOf("string"));

  it("three decimals and one group of three are the same text", () => {
    expect(read("1,234", "en", "KWD")).toBe("ambiguous");
    expect(read("1.234", "en", "KWD")).toBe(1_234);
    expect(read("1,234.500", "en", "KWD")).toBe(1_234_500);
    expect(read("¥1,234", "ja", "JPY")).toBe(1_234);
  });

  it.each(["xx-not-a-tag-at-all", "qaa", "", "tlh"])("a page in %j is read by nobody's habits", (locale) =>
    expect(read("12.40", locale)).toBe("unknown_locale"),
  );

  const currency = fc.constantFrom("EUR", "USD", "GBP", "JPY");
  const minor = fc.integer({ min: 0, max: 10 ** 11 });
  const locale = fc.constantFrom("en-US", "en-GB", "de", "de-CH", "fr", "es", "it", "nl", "pl", "sv", "pt-BR", "ja");
  const RUNS = { numRuns: 50 };

  it("as a locale writes it, it is read back by that locale exactly", () => {
    fc.assert(
      fc.property(minor, currency, locale, (amount, code, tag) => {
        const decimal = formatMoney({ minor: amount, currency: code }, "amount");
        const format = new Intl.NumberFormat(tag, { style: "currency", currency: code, currencyDisplay: "code" });
        const text = format.format(decimal as Intl.StringNumericLiteral);
        expect(readAmount(text, { currency: code, locale: tag })).toEqual({
          ok: true,
          value: { minor: amount, currency: code },
        });
      }),
      RUNS,
    );
  });

  it("read in another country or in none, it is the same amount or none", () => {
    fc.assert(
      fc.property(minor, locale, fc.option(locale, { nil: undefined }), (amount, written, tag) => {
        const decimal = formatMoney({ minor: amount, currency: "EUR" }, "amount");
        const text = new Intl.NumberFormat(written, { minimumFractionDigits: 2 }).format(
          decimal as Intl.StringNumericLiteral,
        );
        const answer = readAmount(text, { currency: "EUR", locale: tag });
        expect(answer.ok ? answer.value.minor : amount).toBe(amount);
      }),
      RUNS,
    );
  });

  it("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.option(fc.string(), { nil: undefined }), (text, tag) => {
        const answer = readAmount(text, { currency: "EUR", locale: tag });
        if (answer.ok) expect(Number.isSafeInteger(answer.value.minor)).toBe(true);
      }),
    );
  });
});

describe("a count", () => {
  it.each(["0", "-1", "1.0", "1,000", "100000", " 1", "x2", ""])("%j is none", (text) =>
    expect(readCount(text).ok).toBe(false),
  );
  it("what must be read and cannot is trouble with the site, without its text", () => {
    expect(() => must(readCount("1,000"), "count")).toThrow(SiteTrouble);
    expect(() => must(readCount("1,000"), "count")).not.toThrow(/1,000/);
    expect(must(readCount("3"), "count")).toBe(3);
  });
  it("is plain figures", () => expect(readCount("12")).toEqual({ ok: true, value: 12 }));
});
