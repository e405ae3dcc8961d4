import { INSTANT_MAX_MS, PERIOD_MAX_DAYS } from "./limits.ts";
import { assert, err, ok, type Result } from "./result.ts";

/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z, up to the end of the year 9999. */
export type Instant = number & { readonly __brand: "Instant" };

export type TimeProblem = "malformed" | "no_offset" | "no_such_date" | "leap_second" | "out_of_range";

const RFC3339 =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:[0-9]{2})?$/;
const MINUTE_MS = 60_000;
/** A day of 24 hours: a length of time, never a calendar day of a zone with summer time. */
export const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * RFC 3339, stricter: the offset is mandatory (a local time means another instant on another server, lessons U54), `T`
 * and `Z` are upper case, the date must exist (`Date` reads 30 February as 2 March), no leap second, 1970 to 9999.
 * Up to nine decimals of a second are read and cut to milliseconds.
 */
export function parseInstant(text: string): Result<Instant, TimeProblem> {
  const match = RFC3339.exec(text);
  if (!match) return err("malformed");
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const offset = match[8];
  if (offset === undefined) return err("no_offset");
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return err("no_such_date");
  if (second === 60) return err("leap_second");
  if (hour > 23 || minute > 59 || second > 59) return err("malformed");
  const offsetMinutes = parseOffset(offset);
  if (offsetMinutes === undefined) return err("malformed");
  if (year < 1970) return err("out_of_range");
  const fractionMs = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const ms = Date.UTC(year, month - 1, day, hour, minute, second, fractionMs) - offsetMinutes * MINUTE_MS;
  return ms >= 0 && ms <= INSTANT_MAX_MS ? ok(ms as Instant) : err("out_of_range");
}

function parseOffset(text: string): number | undefined {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Takes milliseconds from a clock or the store. @throws AssertionFailed when they are no instant. */
export function instant(ms: number): Instant {
  assert(Number.isSafeInteger(ms) && ms >= 0 && ms <= INSTANT_MAX_MS, "instant: milliseconds out of range");
  return ms as Instant;
}

/** `YYYY-MM-DDTHH:MM:SSZ`, as records carry it; the part of a second is cut off. */
export function formatInstant(at: Instant): string {
  return `${formatInstantMs(at).slice(0, 19)}Z`;
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ` */
export function formatInstantMs(at: Instant): string {
  return new Date(instant(at)).toISOString();
}

const PERIOD = /^P(?=[0-9T])(?:([1-9][0-9]{0,4})D)?(?:T(?=[0-9])(?:([1-9][0-9]{0,4})H)?(?:([1-9][0-9]{0,4})M)?)?$/;

/**
 * A length of time in ISO 8601 form, in days, hours and minutes (`P30D`, `PT12H`, `P1DT12H`, `PT15M`), as milliseconds.
 * A day is 24 hours. Months and years are refused: they have no fixed length.
 */
export function parsePeriod(text: string): Result<number, "malformed" | "out_of_range"> {
  const match = PERIOD.exec(text);
  if (!match) return err("malformed");
  const [days = 0, hours = 0, minutes = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  const periodMs = ((days * 24 + hours) * 60 + minutes) * MINUTE_MS;
  return periodMs <= PERIOD_MAX_DAYS * DAY_MS ? ok(periodMs) : err("out_of_range");
}
