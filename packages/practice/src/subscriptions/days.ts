import { DAY_MS } from "@countersign/wire";

/** The service's day of an instant: it works in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function addDays(day: string, days: number): string {
  return dayOf(startOf(day) + days * DAY_MS);
}

/** The same day of a later month, or its last one: 31 January and a month are 28 February. */
export function addMonths(day: string, months: number): string {
  const from = new Date(startOf(day));
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  return dayOf(first + (Math.min(from.getUTCDate(), last) - 1) * DAY_MS);
}

/** Whole days from one to the other. */
export function daysBetween(from: string, to: string): number {
  return (startOf(to) - startOf(from)) / DAY_MS;
}

const PRINTED = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** As the service's pages print a day: "2 December 2026". */
export function printedDay(day: string): string {
  return PRINTED.format(startOf(day));
}
