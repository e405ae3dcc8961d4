import { must, ok, type Result, readAmount, readDate, SiteTrouble } from "@countersign/plugin/site";
import { createVisits, type Page } from "@countersign/route-browser";
import { instantOfLocal } from "../shared/local-time.ts";

export const visits = createVisits({ signInPath: "/sign-in", site: "the clinic" });

/** How the clinic writes: Irish English, `€15.00`. */
const LOCALE = "en-IE";
export const CURRENCY = "EUR";
const AMOUNT = /^€((?:0|[1-9][0-9,]*)\.[0-9]{2})$/;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DAY = /^([A-Z][a-z]+) ([1-9][0-9]? [A-Z][a-z]+ [0-9]{4})$/;
const TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

/** An amount as the clinic's pages print it. @throws SiteTrouble for anything else: it is read exactly or not at all. */
export function printedMinor(text: string): number {
  const figures = AMOUNT.exec(text)?.[1] ?? "";
  const read: Result<{ readonly minor: number }, string> = readAmount(figures, { currency: CURRENCY, locale: LOCALE });
  return must(read, "amount").minor;
}

/** `Tuesday 8 December 2026` as `YYYY-MM-DD`; a weekday that is not that day's is not read. @throws SiteTrouble */
export function printedDay(text: string): string {
  const [, weekday = "", rest = ""] = DAY.exec(text) ?? [];
  const day = must(readDate(rest, { locale: LOCALE }), "day");
  if (WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] !== weekday)
    throw new SiteTrouble("the clinic shows a day with another weekday");
  return day;
}

function instantAt(day: string, time: string): number {
  const at = TIME.test(time) ? instantOfLocal(day, time) : undefined;
  if (at === undefined) throw new SiteTrouble("the clinic shows a time that cannot be read");
  return at;
}

/** `Tuesday 8 December 2026, 09:20` in the clinic's own town. @throws SiteTrouble for anything else. */
export function printedMoment(text: string): number {
  const [, day = "", time = ""] = /^(.+), (.{5})$/.exec(text) ?? [];
  return instantAt(printedDay(day), time);
}

/** `Tuesday 8 December 2026, 09:20 to 09:40`. @throws SiteTrouble for anything else. */
export function printedVisit(text: string): { readonly startsMs: number; readonly endsMs: number } {
  const [, day = "", from = "", to = ""] = /^(.+), (.{5}) to (.{5})$/.exec(text) ?? [];
  const read = printedDay(day);
  const [startsMs, endsMs] = [instantAt(read, from), instantAt(read, to)];
  if (endsMs <= startsMs) throw new SiteTrouble("the clinic shows a visit that ends before it begins");
  return { startsMs, endsMs };
}

/** What stands on one of the clinic's pages, taken in one look so that no figure is of another moment than its neighbour. */
export interface Look {
  readonly heading: string;
  readonly hint: string;
  /** Terms and what is said of them. */
  readonly facts: readonly (readonly [string, string])[];
}

export function look(page: Page): Promise<Look> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    return {
      heading: text(document.querySelector("main h1")),
      hint: text(document.querySelector("main h1 + p")),
      facts: [...document.querySelectorAll("main dt")].map((term): readonly [string, string] => [
        text(term),
        text(term.nextElementSibling),
      ]),
    };
  });
}

/** What the page says of a term, when it says it once. */
export function factOf(seen: Look, term: string): string {
  const [fact, ...others] = seen.facts.filter(([name]) => name === term);
  if (fact === undefined || others.length > 0) throw new SiteTrouble(`the clinic does not show one "${term}"`);
  return fact[1];
}

/** Not empty: a text that has to stand there. */
export function shown(text: string, what: string): string {
  return must(text === "" ? { ok: false, reason: "it is empty" } : ok(text), what);
}
