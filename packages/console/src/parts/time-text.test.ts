import { expect, it } from "vitest";
import { relativeText } from "./time-text.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const formats = (locale: string) => ({
  relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
  date: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }),
});

it.each([
  [-10_000, "now"],
  [10_000, "now"],
  [-60_000, "1 minute ago"],
  [-59 * 60_000, "59 minutes ago"],
  [-2 * 3_600_000, "2 hours ago"],
  [-26 * 3_600_000, "yesterday"],
  [3 * 3_600_000, "in 3 hours"],
  [-6 * 86_400_000, "6 days ago"],
  [-40 * 86_400_000, "Oct 21, 2026"],
])("%d ms away reads %s", (away, text) => {
  expect(relativeText(NOW + away, NOW, formats("en"))).toBe(text);
});

it("speaks the person's own language", () => {
  expect(relativeText(NOW - 120_000, NOW, formats("de"))).toBe("vor 2 Minuten");
});
