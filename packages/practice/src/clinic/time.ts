import { DAY_MS } from "@countersign/wire";

// The clinic's days and hours are those of its own town, as at real clinics: pages print them without an offset, the API
// with one.

export const ZONE = "Europe/Dublin";
const MINUTE_MS = 60_000;

const PARTS = new Intl.DateTimeFormat("en-GB", {
  timeZone: ZONE,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

export interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Since midnight. */
  readonly minutes: number;
}

export function localOf(atMs: number): LocalTime {
  const parts = PARTS.formatToParts(atMs);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const minutes = Number(part("hour")) * 60 + Number(part("minute"));
  return { day: `${part("year")}-${part("month")}-${part("day")}`, minutes };
}

/** The town's clock is ahead of UTC by this. */
function offsetMinutes(atMs: number): number {
  const { day, minutes } = localOf(atMs);
  return Math.round((Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS - atMs) / MINUTE_MS);
}

const offsets = new Map<string, number>();

/** The instant of a local time. Clocks are changed at night, when no clinic is open: a day has one offset. */
export function atLocal({ day, minutes }: LocalTime): number {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
  const known = offsets.get(day) ?? offsetMinutes(Date.parse(`${day}T12:00:00Z`));
  offsets.set(day, known);
  return asUtc - known * MINUTE_MS;
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** As the API writes an instant: `2026-12-08T09:20:00+00:00`. */
export function instantText(atMs: number): string {
  const { day, minutes } = localOf(atMs);
  const offset = offsetMinutes(atMs);
  const ahead = `${offset < 0 ? "-" : "+"}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${day}T${hourText(minutes)}:00${ahead}`;
}

/** `09:20`. */
export function hourText(minutes: number): string {
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const PRINTED = new Intl.DateTimeFormat("en-IE", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** As the clinic's pages print a day: `Tuesday 8 December 2026`. */
export function printedDay(day: string): string {
  const parts = PRINTED.formatToParts(Date.parse(`${day}T00:00:00Z`));
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("weekday")} ${part("day")} ${part("month")} ${part("year")}`;
}

/** As the clinic's pages print a moment: `Tuesday 8 December 2026, 09:20`. */
export function printedMoment(atMs: number): string {
  const { day, minutes } = localOf(atMs);
  return `${printedDay(day)}, ${hourText(minutes)}`;
}

/** As the clinic's pages print a visit: `Tuesday 8 December 2026, 09:20 to 09:40`. */
export function printedVisit(startsAtMs: number, endsAtMs: number): string {
  return `${printedMoment(startsAtMs)} to ${hourText(localOf(endsAtMs).minutes)}`;
}
