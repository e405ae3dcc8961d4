import { dayOf } from "../bank/days.ts";

export { addDays, dayOf, isDay } from "../bank/days.ts";

/** The first day of the month that is this many months away. */
export function monthStart(day: string, months: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(Date.UTC(year, month - 1 + months, 1));
}

const MONTH = new Intl.DateTimeFormat("en-IE", { month: "long", timeZone: "UTC" });

export function monthName(day: string): string {
  return MONTH.format(Date.parse(`${day}T00:00:00Z`));
}
