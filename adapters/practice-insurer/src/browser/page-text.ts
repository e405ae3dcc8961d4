import { must, type Result, readAmount, readDate, SiteTrouble } from "@countersign/plugin/site";
import { createVisits, type Frame, type Page } from "@countersign/route-browser";

export const visits = createVisits({ signInPath: "/sign-in", site: "the insurer" });

/** How the insurer writes, as its pages' `lang` says: British English, in pounds. */
const LOCALE = "en-GB";
const AMOUNT = /^£([0-9,]+\.[0-9]{2})$/;
/** The insurer's one currency: no page names another, and its sign stands before each amount. */
export const CURRENCY = "GBP";

/** An amount as the insurer prints it, `£1,374.00`. @throws SiteTrouble for anything else. */
export function printedMinor(text: string): number {
  const [, figures = ""] = AMOUNT.exec(text) ?? [];
  const read: Result<{ readonly minor: number }, string> = readAmount(figures, { currency: CURRENCY, locale: LOCALE });
  return must(read, "amount").minor;
}

/** A day as the insurer prints it, `4 November 2026`, as `YYYY-MM-DD`. @throws SiteTrouble for anything else. */
export function printedDay(text: string): string {
  if (!/^[1-9][0-9]? [A-Z][a-z]+ [0-9]{4}$/.test(text))
    throw new SiteTrouble("the insurer shows a day that cannot be read");
  return must(readDate(text, { locale: LOCALE }), "day");
}

export type Facts = readonly (readonly [term: string, text: string])[];

/** One thing on a page: a policy, a claim. */
export interface Item {
  /** The name of the list that it stands in; empty for one that stands by itself. */
  readonly list: string;
  readonly heading: string;
  readonly facts: Facts;
  readonly links: readonly { readonly text: string; readonly href: string }[];
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One of the pages, taken in one look so that no figure is of another moment than its neighbour. */
export interface Look {
  readonly heading: string;
  /** The paragraph below the heading. */
  readonly note: string;
  readonly items: readonly Item[];
  /** The window over the page, where there is one. */
  readonly step: { readonly name: string; readonly heading: string; readonly facts: Facts } | undefined;
  readonly alerts: readonly string[];
}

export function look(page: Page | Frame): Promise<Look> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const facts = (within: Element) =>
      [...within.querySelectorAll("dt")].map((term): [string, string] => {
        // What the person wrote keeps its spaces; everything else has none around it.
        const said = term.nextElementSibling?.textContent ?? "";
        return [text(term), said];
      });
    const dialog = document.querySelector("dialog");
    return {
      heading: text(document.querySelector("main h1")),
      note: text(document.querySelector("main h1 + p")),
      items: [...document.querySelectorAll("main article, main li")].map((each) => {
        const table = each.querySelector("table");
        return {
          list: each.closest("ol, ul")?.getAttribute("aria-label") ?? "",
          heading: text(each.querySelector("h2, h3")),
          facts: facts(each),
          links: [...each.querySelectorAll("a")].map((link) => ({
            text: text(link),
            href: link.getAttribute("href") ?? "",
          })),
          caption: text(table?.caption),
          head: [...(table?.tHead?.rows ?? [])].flatMap((row) => [...row.cells].map((cell) => text(cell))),
          rows: [...(table?.tBodies ?? [])].flatMap((part) =>
            [...part.rows].map((row) => [...row.cells].map((cell) => text(cell))),
          ),
        };
      }),
      step:
        dialog === null
          ? undefined
          : {
              name: text(dialog.querySelector("p")),
              heading: text(dialog.querySelector("h2")),
              facts: facts(dialog),
            },
      alerts: [...document.querySelectorAll('[role="alert"]')].map((each) => text(each)),
    };
  });
}

/** What is said of a term, when it is said once; undefined when it is not said. */
export function said(facts: Facts, term: string): string | undefined {
  const [fact, ...others] = facts.filter(([name]) => name === term);
  if (others.length > 0) throw new SiteTrouble(`the insurer shows more than one "${term}"`);
  return fact?.[1];
}

/** What has to be said of a term. @throws SiteTrouble when it is not, or is empty. */
export function factOf(facts: Facts, term: string): string {
  const text = said(facts, term);
  if (text === undefined || text === "") throw new SiteTrouble(`the insurer does not show one "${term}"`);
  return text;
}

/** Rows that are not known (a tax, a condition) are not skipped: what shows them is then unreadable. */
export function onlyKnown(facts: Facts, known: readonly string[]): void {
  if (facts.some(([term]) => !known.includes(term))) throw new SiteTrouble("the insurer shows something unknown");
}
