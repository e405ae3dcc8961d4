import { DAY_MS } from "@countersign/wire";

/** The bank's day of an instant: it works in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    dayOf(Date.parse(`${text}T00:00:00Z`)) === text
  );
}

const PRINTED = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "short", year: "numeric", timeZone: "UTC" });

/** As the bank's pages print a day: "02 Dec 2026". No machine-readable twin stands beside it, as at many real banks. */
export function printedDay(day: string): string {
  const parts = PRINTED.formatToParts(Date.parse(`${day}T00:00:00Z`));
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("day")} ${part("month").slice(0, 3)} ${part("year")}`;
}
