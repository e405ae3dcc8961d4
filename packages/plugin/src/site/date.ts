import { err, ok, parseInstant, type Result } from "@countersign/wire";
import { type DateOrder, dateOrder, type PageText } from "./locale.ts";
import { monthNames, weekdayOf } from "./month-names.ts";

/**
 * `ambiguous`: two days could be meant. `no_year`: no year, or one of two digits. `not_in_calendar`: no such day, or not
 * that day of the week.
 */
export type DateProblem = "malformed" | "ambiguous" | "no_year" | "not_in_calendar" | "unknown_locale";

const DATE_TEXT_MAX_CHARS = 64;
const YEAR_FIRST = /^([0-9]{4})([-./]) ?([0-9]{1,2})\2 ?([0-9]{1,2})\.?$/;
const YEAR_LAST = /^([0-9]{1,2})([-./]) ?([0-9]{1,2})\2 ?([0-9]{2}|[0-9]{4})\.?$/;

/**
 * A calendar day as a page shows it, as `YYYY-MM-DD`: `2026-11-30`, `30/11/2026`, `30. November 2026`, `Nov 30, 2026`.
 * The order of day and month is the locale's; where its language alone leaves that open (`en`), or nothing is known of
 * the page, only a date that can mean one day is read. Nothing is completed: no year, no date. A day is not an instant:
 * whoever needs one must know the site's time zone.
 */
export function readDate(text: string, page: PageText): Result<string, DateProblem> {
  const trimmed = text.replace(/[\s\u00a0\u202f]+/g, " ").trim();
  if (trimmed === "" || trimmed.length > DATE_TEXT_MAX_CHARS) return err("malformed");
  const order = page.locale === undefined ? ok(undefined) : dateOrder(page.locale);
  if (!order.ok) return order;
  const first = YEAR_FIRST.exec(trimmed);
  if (first !== null) return calendarDay(Number(first[1]), Number(first[3]), Number(first[4]));
  const last = YEAR_LAST.exec(trimmed);
  if (last !== null) return inFigures(last[1] ?? "", last[3] ?? "", last[4] ?? "", order.value);
  return inWords(trimmed, page.locale ?? "en");
}

function inFigures(one: string, two: string, year: string, order: DateOrder | undefined): Result<string, DateProblem> {
  if (year.length !== 4) return err("no_year");
  const dayFirst = calendarDay(Number(year), Number(two), Number(one));
  const monthFirst = calendarDay(Number(year), Number(one), Number(two));
  if (order === "dmy") return dayFirst;
  if (order === "mdy") return monthFirst;
  if (dayFirst.ok && monthFirst.ok) return dayFirst.value === monthFirst.value ? dayFirst : err("ambiguous");
  return dayFirst.ok ? dayFirst : monthFirst;
}

/** One day, one month by its name, one year, and perhaps the day of the week; any further word makes it something else. */
function inWords(text: string, locale: string): Result<string, DateProblem> {
  const names = monthNames(locale);
  let month: number | undefined;
  let weekday: number | undefined;
  const figures: string[] = [];
  for (const word of text.toLowerCase().split(/[\s,]+|(?<=[0-9])(?=\p{L})|(?<=d)[’']/u)) {
    const bare = word.replace(/\.$/, "");
    if (/^[0-9]+$/.test(bare)) figures.push(bare);
    else if (names.months.has(bare) && month === undefined) month = names.months.get(bare);
    else if (names.weekdays.has(bare) && weekday === undefined) weekday = names.weekdays.get(bare);
    else if (bare !== "" && !names.fillers.has(bare)) return err("malformed");
  }
  if (month === undefined) return err("malformed");
  const years = figures.filter((figure) => figure.length === 4);
  const days = figures.filter((figure) => figure.length <= 2);
  if (years.length === 0) return err(days.length === 0 ? "malformed" : "no_year");
  if (years.length > 1 || days.length !== 1 || figures.length !== 2) return err("malformed");
  const day = calendarDay(Number(years[0]), month, Number(days[0]));
  if (!day.ok || weekday === undefined) return day;
  return weekdayOf(day.value) === weekday ? day : err("not_in_calendar");
}

function calendarDay(year: number, month: number, day: number): Result<string, "not_in_calendar"> {
  const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return parseInstant(`${text}T00:00:00Z`).ok ? ok(text) : err("not_in_calendar");
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
