import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDate } from "./date.ts";

const read = (text: string, locale?: string) => {
  const day = readDate(text, { locale });
  return day.ok ? day.value : day.reason;
};

describe("U54 a day of a page", () => {
  it.each([
    ["2026-11-30", undefined],
    ["30/11/2026", "en-GB"],
    ["11/30/2026", "en-US"],
    ["30.11.2026", "de"],
    ["30. November 2026", "de"],
    ["Mo., 30. Nov. 2026", "de"],
    ["November 30, 2026", "en"],
    ["Monday, 30th of November 2026", "en-GB"],
    ["30 de noviembre de 2026", "es"],
    ["30 novembre 2026", "fr-FR"],
    ["2026/11/30", "ja"],
    ["30/11/2026", undefined],
  ])("%s on a page in %s is that day", (text, locale) => expect(read(text, locale)).toBe("2026-11-30"));

  it.each([
    ["03/04/2026", undefined, "ambiguous"],
    ["03/04/2026", "en", "ambiguous"],
    ["11/30/2026", "en-GB", "not_in_calendar"],
    ["30/02/2026", "en-GB", "not_in_calendar"],
    ["29 February 2027", "en", "not_in_calendar"],
    ["Tuesday, 30 November 2026", "en", "not_in_calendar"],
    ["30/11/26", "en-GB", "no_year"],
    ["30 November", "en", "no_year"],
    ["30 Nov 26", "en", "no_year"],
    ["30 novembre 2026", "en", "malformed"],
    ["November 2026", "en", "malformed"],
    ["30 November 2026 or later", "en", "malformed"],
    ["tomorrow", "en", "malformed"],
    ["", "en", "malformed"],
    ["30/11/2026", "qaa", "unknown_locale"],
  ])("%j on a page in %s is none: %s", (text, locale, why) => expect(read(text, locale)).toBe(why));

  it("the same day and month mean one day everywhere", () => expect(read("05/05/2026")).toBe("2026-05-05"));

  const day = fc.date({ min: new Date("1970-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  const locale = fc.constantFrom("en-US", "en-GB", "de", "fr-FR", "es-ES", "it", "nl", "pl", "sv", "pt-BR");

  it("as a locale writes it, it is read back by that locale", () => {
    fc.assert(
      fc.property(day, locale, fc.constantFrom("long", "short", "2-digit"), (date, tag, month) => {
        const format = new Intl.DateTimeFormat(tag, { year: "numeric", month, day: "numeric", timeZone: "UTC" });
        expect(read(format.format(date), tag)).toBe(date.toISOString().slice(0, 10));
      }),
      { numRuns: 50 },
    );
  });

  it("with nothing known of the page, figures give that day or none", () => {
    fc.assert(
      fc.property(day, fc.constantFrom("en-US", "en-GB", "de"), (date, tag) => {
        const text = new Intl.DateTimeFormat(tag, { timeZone: "UTC" }).format(date);
        const answer = readDate(text, { locale: undefined });
        expect(answer.ok ? answer.value : date.toISOString().slice(0, 10)).toBe(date.toISOString().slice(0, 10));
      }),
      { numRuns: 50 },
    );
  });

  it("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.option(fc.string(), { nil: undefined }), (text, tag) => {
        const answer = readDate(text, { locale: tag });
        if (answer.ok) expect(answer.value).toMatch(/^\d{4}-\d\d-\d\d$/);
      }),
    );
  });
});
