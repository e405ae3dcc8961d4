import { must, type Result, readAmount, readDate, SiteTrouble } from "@countersign/plugin/site";
import { createVisits, type Page } from "@countersign/route-browser";

export const visits = createVisits({ signInPath: "/sign-in", site: "the service" });

/** How the service writes: Irish English, the sign of the euro before the amount. */
const LOCALE = "en-IE";
export const CURRENCY = "EUR";

/** An amount as the service's pages print it, `€13.99`. @throws SiteTrouble for anything else. */
export function printedMinor(text: string): number {
  const figures = /^€([0-9,]+\.[0-9]{2})$/.exec(text)?.[1] ?? "";
  const read: Result<{ readonly minor: number }, string> = readAmount(figures, { currency: CURRENCY, locale: LOCALE });
  return must(read, "amount").minor;
}

/** A price as the pages print it, `€13.99 a month`. @throws SiteTrouble for anything else. */
export function printedPrice(text: string): { readonly minor: number; readonly period: "month" | "year" } {
  const [, amount = "", period] = /^(\S+) a (month|year)$/.exec(text) ?? [];
  if (period !== "month" && period !== "year") throw new SiteTrouble("the service shows a price that cannot be read");
  return { minor: printedMinor(amount), period };
}

/** A day as the pages print it, `2 December 2026`, as `YYYY-MM-DD`. @throws SiteTrouble for anything else. */
export function printedDay(text: string): string {
  if (!/^[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4}$/.test(text))
    throw new SiteTrouble("the service shows a day that cannot be read");
  return must(readDate(text, { locale: LOCALE }), "day");
}

export type Facts = readonly (readonly [term: string, text: string])[];

/** One of the service's pages, taken in one look so that no figure is of another moment than its neighbour. */
export interface Look {
  readonly heading: string;
  /** Which step of a flow it is. */
  readonly step: string;
  /** What stands right below the heading. */
  readonly below: string;
  /** The terms of the page's own list; empty where there is none. */
  readonly facts: Facts;
  readonly cards: readonly { readonly title: string; readonly facts: Facts; readonly links: readonly string[] }[];
}

export function look(page: Page): Promise<Look> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const factsIn = (list: Element | null): (readonly [string, string])[] =>
      [...(list?.querySelectorAll("dt") ?? [])].map((term) => {
        const said = term.nextElementSibling;
        return [text(term), said?.tagName === "DD" ? text(said) : ""] as const;
      });
    const main = document.querySelector("main");
    const heading = main?.querySelector("h1");
    const first = main?.firstElementChild;
    const lists = [...(main?.querySelectorAll("dl") ?? [])].filter((list) => list.closest("article") === null);
    return {
      heading: text(heading),
      step: first?.tagName === "P" ? text(first) : "",
      below: heading?.nextElementSibling?.tagName === "P" ? text(heading.nextElementSibling) : "",
      facts: lists.length === 1 ? factsIn(lists[0] ?? null) : [],
      cards: [...(main?.querySelectorAll("article") ?? [])].map((card) => ({
        title: text(card.querySelector("h2")),
        facts: factsIn(card.querySelector("dl")),
        links: [...card.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? ""),
      })),
    };
  });
}

/** What a list says of a term, when it says it once and not nothing. @throws SiteTrouble otherwise. */
export function factOf(facts: Facts, term: string): string {
  const found = optionalFact(facts, term);
  if (found === undefined) throw new SiteTrouble(`the service does not show one "${term}"`);
  return found;
}

/** The same for a term that need not stand there. */
export function optionalFact(facts: Facts, term: string): string | undefined {
  const [fact, ...others] = facts.filter(([name]) => name === term);
  if (others.length > 0 || fact?.[1] === "") throw new SiteTrouble(`the service does not show one "${term}"`);
  return fact?.[1];
}

/** Terms that are not known (a fee, a tax) are not skipped: the page is then unreadable. */
export function onlyFacts(facts: Facts, known: readonly string[]): void {
  if (facts.some(([term]) => !known.includes(term))) throw new SiteTrouble("the service shows something unknown");
}
