import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAYS, hoursWithin, isZone, withinHours } from "./hours.ts";

const office = { zone: "Europe/Berlin", from: "08:00", to: "18:00" } as const;
const at = (text: string) => Date.parse(text);

describe("CON-3 hours", () => {
  it.each([
    ["the first minute", "2026-07-01T06:00:00Z", true],
    ["the minute before", "2026-07-01T05:59:59.999Z", false],
    ["the last minute", "2026-07-01T15:59:59.999Z", true],
    ["the end itself", "2026-07-01T16:00:00Z", false],
    ["the first minute in winter, an hour later by UTC", "2026-12-01T07:00:00Z", true],
    ["what is the first minute by summer time", "2026-12-01T06:00:00Z", false],
  ])("%s", (_name, when, within) => {
    expect(withinHours(office, at(when))).toBe(within);
  });

  it("the day the clocks go forward: 02:30 never comes, 03:30 comes once", () => {
    const gap = { zone: "Europe/Berlin", from: "02:00", to: "03:00" };
    const after = { zone: "Europe/Berlin", from: "03:00", to: "04:00" };
    expect(minutesWithin(gap, "2026-03-29T00:00:00Z", 6)).toBe(0);
    expect(minutesWithin(after, "2026-03-29T00:00:00Z", 6)).toBe(60);
    expect(withinHours(after, at("2026-03-29T01:00:00Z"))).toBe(true);
  });

  it("the day the clocks go back: 02:30 comes twice, and both times count", () => {
    const twice = { zone: "Europe/Berlin", from: "02:00", to: "03:00" };
    expect(minutesWithin(twice, "2026-10-25T00:00:00Z", 6)).toBe(120);
    expect(withinHours(twice, at("2026-10-25T00:30:00Z"))).toBe(true);
    expect(withinHours(twice, at("2026-10-25T01:30:00Z"))).toBe(true);
  });

  it("zones of half an hour, and on the other side of the date line", () => {
    expect(withinHours({ zone: "Asia/Kolkata", from: "00:00", to: "00:30" }, at("2026-07-01T18:30:00Z"))).toBe(true);
    const monday = { zone: "Pacific/Apia", from: "00:00", to: "24:00", days: ["mon"] } as const;
    expect(withinHours(monday, at("2026-11-29T12:00:00Z"))).toBe(true);
    expect(withinHours({ ...monday, zone: "Pacific/Pago_Pago" }, at("2026-11-29T12:00:00Z"))).toBe(false);
  });

  it("days are those on which the hours begin, past midnight too", () => {
    const night = { zone: "UTC", from: "22:00", to: "06:00", days: ["fri"] } as const;
    expect(withinHours(night, at("2026-11-27T23:00:00Z"))).toBe(true);
    expect(withinHours(night, at("2026-11-28T05:59:00Z"))).toBe(true);
    expect(withinHours(night, at("2026-11-28T06:00:00Z"))).toBe(false);
    expect(withinHours(night, at("2026-11-27T05:00:00Z"))).toBe(false);
    expect(withinHours(night, at("2026-11-28T23:00:00Z"))).toBe(false);
  });

  it.each(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])("%s is a zone", (zone) => {
    expect(isZone(zone)).toBe(true);
  });
  it.each(["", "+02:00", "-05", "Mars/Base", "Europe/Berlin ", "../etc"])("%j is none", (zone) => {
    expect(isZone(zone)).toBe(false);
  });

  it("CON-4 hours are narrower exactly when they allow no minute that was not allowed", () => {
    const week = Array.from({ length: 7 * 24 * 4 }, (_, i) => at("2026-11-30T00:00:00Z") + i * 15 * 60_000);
    fc.assert(
      fc.property(someHours(), someHours(), (inner, outer) => {
        const allowsMore = week.some((when) => withinHours(inner, when) && !withinHours(outer, when));
        expect(hoursWithin(inner, outer)).toBe(!allowsMore);
      }),
      { numRuns: 60 },
    );
    expect(hoursWithin(office, { ...office, zone: "Europe/Paris" })).toBe(false);
  });
});

function minutesWithin(hours: Parameters<typeof withinHours>[0], from: string, forHours: number): number {
  return Array.from({ length: forHours * 60 }, (_, i) => at(from) + i * 60_000).filter((m) => withinHours(hours, m))
    .length;
}

function someHours() {
  const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom("00", "15", "30", "45"));
  const text = ([hour, minute]: [number, string]) => `${String(hour).padStart(2, "0")}:${minute}`;
  return fc
    .record({ from: clock, to: clock, days: fc.option(fc.subarray([...DAYS], { minLength: 1 }), { nil: undefined }) })
    .map(({ from, to, days }) => ({
      zone: "UTC",
      from: text(from),
      to: text(to) === text(from) ? "24:00" : text(to),
      ...(days === undefined ? {} : { days }),
    }));
}
