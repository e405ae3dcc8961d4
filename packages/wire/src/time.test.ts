import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatInstant, formatInstantMs, type Instant, instant, parseInstant, parsePeriod } from "./index.ts";

const anyInstant = fc.integer({ min: 0, max: 253_402_300_799_999 }).map(instant);

describe("parseInstant", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0],
    ["2026-11-30T10:00:00Z", 1796032800000],
    ["2026-11-30T11:00:00+01:00", 1796032800000],
    ["2026-11-30T04:30:00-05:30", 1796032800000],
    ["2026-11-30T10:00:00.1Z", 1796032800100],
    ["2026-11-30T10:00:00.123999999Z", 1796032800123],
    ["2024-02-29T00:00:00Z", 1709164800000],
    ["2000-02-29T00:00:00Z", 951782400000],
    ["9999-12-31T23:59:59.999Z", 253402300799999],
    ["2026-11-30T10:00:00-00:00", 1796032800000],
  ])("%s", (text, ms) => {
    expect(parseInstant(text)).toEqual({ ok: true, value: ms });
  });

  test.each([
    ["2026-11-30T10:00:00", "no_offset"],
    ["2026-11-30T10:00:00.5", "no_offset"],
    ["2026-02-30T10:00:00Z", "no_such_date"],
    ["2026-02-29T10:00:00Z", "no_such_date"],
    ["2100-02-29T10:00:00Z", "no_such_date"],
    ["2026-04-31T10:00:00Z", "no_such_date"],
    ["2026-13-01T10:00:00Z", "no_such_date"],
    ["2026-00-01T10:00:00Z", "no_such_date"],
    ["2026-01-00T10:00:00Z", "no_such_date"],
    ["2016-12-31T23:59:60Z", "leap_second"],
    ["2026-11-30T24:00:00Z", "malformed"],
    ["2026-11-30T10:60:00Z", "malformed"],
    ["2026-11-30T10:00:61Z", "malformed"],
    ["2026-11-30t10:00:00Z", "malformed"],
    ["2026-11-30T10:00:00z", "malformed"],
    ["2026-11-30 10:00:00Z", "malformed"],
    ["2026-11-30T10:00Z", "malformed"],
    ["2026-11-30", "malformed"],
    ["2026-11-30T10:00:00+24:00", "malformed"],
    ["2026-11-30T10:00:00+01:60", "malformed"],
    ["2026-11-30T10:00:00+0100", "malformed"],
    ["2026-11-30T10:00:00+01", "malformed"],
    ["2026-11-30T10:00:00.Z", "malformed"],
    ["2026-11-30T10:00:00.1234567890Z", "malformed"],
    ["2026-11-30T10:00:00Z\n", "malformed"],
    [" 2026-11-30T10:00:00Z", "malformed"],
    ["+002026-11-30T10:00:00Z", "malformed"],
    ["٢٠٢٦-11-30T10:00:00Z", "malformed"],
    ["", "malformed"],
    ["1969-12-31T23:59:59Z", "out_of_range"],
    ["1970-01-01T00:00:00+01:00", "out_of_range"],
    ["9999-12-31T23:59:59-00:01", "out_of_range"],
  ])("U54 %j is refused: %s", (text, reason) => {
    expect(parseInstant(text)).toEqual({ ok: false, reason });
  });

  test("round trips", () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        expect(parseInstant(formatInstantMs(at))).toEqual({ ok: true, value: at });
        expect(parseInstant(formatInstant(at))).toEqual({ ok: true, value: Math.floor(at / 1000) * 1000 });
      }),
    );
  });

  test("agrees with Date on every existing date and offset", () => {
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: -1439, max: 1439 }), (at, offset) => {
        const local = at + offset * 60_000;
        fc.pre(local >= 0 && local <= 253_402_300_799_999);
        const size = Math.abs(offset);
        const [h, m] = [Math.floor(size / 60), size % 60].map((n) => String(n).padStart(2, "0"));
        const text = `${formatInstantMs(instant(local)).slice(0, -1)}${offset < 0 ? "-" : "+"}${h}:${m}`;
        expect(parseInstant(text)).toEqual({ ok: true, value: at });
        expect(Date.parse(text)).toBe(at);
      }),
    );
  });
});

test("formats are fixed", () => {
  expect(formatInstant(instant(1796032800999))).toBe("2026-11-30T10:00:00Z");
  expect(formatInstantMs(instant(1796032800999))).toBe("2026-11-30T10:00:00.999Z");
});

test("instant refuses what is none", () => {
  for (const ms of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 253_402_300_800_000]) {
    expect(() => instant(ms)).toThrow("out of range");
  }
  expect(() => formatInstant(-1 as Instant)).toThrow("out of range");
});

test("U54 the same answers under five zones, also across the nights when clocks change", () => {
  const program = `
    import { formatInstant, instant, parseInstant, parsePeriod } from ${JSON.stringify(new URL("./time.ts", import.meta.url).href)};
    const out = [];
    for (const start of ["2026-03-29T00:30:00Z", "2026-10-25T00:30:00Z", "2026-03-08T06:30:00Z", "2026-04-04T13:30:00Z"]) {
      for (let quarter = 0; quarter < 12; quarter++) {
        const at = instant(parseInstant(start).value + quarter * parsePeriod("PT15M").value);
        out.push(formatInstant(at), parseInstant(formatInstant(at)).value === at);
      }
    }
    out.push(parseInstant("2026-03-29T02:30:00+01:00").value, parseInstant("2026-03-29T02:30:00"), parsePeriod("P1D"));
    console.log(JSON.stringify([Intl.DateTimeFormat().resolvedOptions().timeZone, out]));
  `;
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
  const answers = zones.map((zone) => {
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...process.env, TZ: zone },
      encoding: "utf8",
    });
    return JSON.parse(output) as [string, unknown[]];
  });
  expect(new Set(answers.map(([zone]) => zone)).size).toBe(5);
  for (const [, answer] of answers) expect(answer).toEqual(answers[0]?.[1]);
  expect(answers[0]?.[1].every((each) => each !== false)).toBe(true);
});

describe("parsePeriod", () => {
  test.each([
    ["P30D", 30 * 86_400_000],
    ["PT12H", 12 * 3_600_000],
    ["P1DT12H", 36 * 3_600_000],
    ["PT15M", 900_000],
    ["P1DT1H1M", 90_060_000],
    ["P3660D", 3660 * 86_400_000],
  ])("%s", (text, ms) => {
    expect(parsePeriod(text)).toEqual({ ok: true, value: ms });
  });

  test.each([
    "P",
    "PT",
    "P1DT",
    "P0D",
    "P01D",
    "P1M",
    "P1Y",
    "P1W",
    "P1.5D",
    "-P1D",
    "30D",
    "p30d",
    "P1D ",
    "PT1H1D",
    "",
  ])("%j is refused", (text) => {
    expect(parsePeriod(text)).toEqual({ ok: false, reason: "malformed" });
  });

  test("has an upper end", () => {
    expect(parsePeriod("P3661D")).toEqual({ ok: false, reason: "out_of_range" });
    expect(parsePeriod("P3660DT1H")).toEqual({ ok: false, reason: "out_of_range" });
  });
});
