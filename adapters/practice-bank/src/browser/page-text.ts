import { must, ok, type Result, readAmount, readDate, SiteTrouble } from "@countersign/plugin/site";
import { createVisits, type Page } from "@countersign/route-browser";

export const visits = createVisits({ signInPath: "/login", site: "the bank" });

/** How the bank writes: British English, the currency after the amount. */
const LOCALE = "en-GB";
const AMOUNT = /^(−?)([0-9,]+\.[0-9]{2}) ([A-Z]{3})$/;

export interface PrintedAmount {
  readonly minor: number;
  readonly currency: string;
}

/**
 * An amount as the bank's pages print it: `1,842.33 EUR`, below nothing `−86.40 EUR`. Its currency stands there.
 * @throws SiteTrouble for anything else: an amount is read exactly or not at all.
 */
export function printedAmount(text: string): PrintedAmount {
  const [, sign = "", figures = "", currency = ""] = AMOUNT.exec(text) ?? [];
  const read: Result<{ readonly minor: number }, string> = readAmount(figures, { currency, locale: LOCALE });
  const { minor } = must(read, "amount");
  if (sign !== "" && minor === 0) throw new SiteTrouble("the bank shows less than nothing of nothing");
  return { minor: sign === "" ? minor : -minor, currency };
}

/** Amounts of one page, all in one currency. */
export function printedMinor(text: string, currency: string): number {
  const amount = printedAmount(text);
  if (amount.currency !== currency) throw new SiteTrouble("the bank shows two currencies on one page");
  return amount.minor;
}

/** A day as the bank's pages print it, `28 Nov 2026`, as `YYYY-MM-DD`. @throws SiteTrouble for anything else. */
export function printedDay(text: string): string {
  if (!/^[0-9]{2} [A-Z][a-z]{2} [0-9]{4}$/.test(text))
    throw new SiteTrouble("the bank shows a day that cannot be read");
  return must(readDate(text, { locale: LOCALE }), "day");
}

/** A table of the bank's pages as text, row by row; `href` is where the row's first link leads. */
export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly body: readonly { readonly cells: readonly string[]; readonly href: string }[];
}

/** One of the bank's pages, taken in one look so that no figure is of another moment than its neighbour. */
export interface Look {
  readonly heading: string;
  readonly note: string;
  readonly pages: string;
  readonly older: boolean;
  readonly tables: readonly Table[];
}

export function look(page: Page): Promise<Look> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const pages = document.querySelector('nav[aria-label="Pages of transactions"]');
    return {
      heading: text(document.querySelector("main h1")),
      note: text(document.querySelector("main p.note")),
      pages: text(pages?.querySelector("span")),
      older: [...(pages?.querySelectorAll("a") ?? [])].some((link) => text(link) === "Older"),
      tables: [...document.querySelectorAll("main table")].map((each) => {
        const table = each as HTMLTableElement;
        return {
          caption: text(table.caption),
          head: [...(table.tHead?.rows ?? [])].flatMap((row) => [...row.cells].map((cell) => text(cell))),
          body: [...table.tBodies].flatMap((part) =>
            [...part.rows].map((row) => ({
              cells: [...row.cells].map((cell) => text(cell)),
              href: row.querySelector("a")?.getAttribute("href") ?? "",
            })),
          ),
        };
      }),
    };
  });
}

/** The rows of a page's one table with this caption and exactly these columns. @throws SiteTrouble for any other page. */
export function rowsOf(seen: Look, caption: string, columns: readonly string[]): Table["body"] {
  const [table, ...others] = seen.tables.filter((each) => each.caption === caption);
  if (table === undefined || others.length > 0) throw new SiteTrouble("the bank does not show its one table");
  if (table.head.join("|") !== columns.join("|")) throw new SiteTrouble("the bank's table has other columns");
  const width = columns.length === 0 ? 2 : columns.length;
  if (table.body.some((row) => row.cells.length !== width))
    throw new SiteTrouble("the bank's table has a row that cannot be read");
  return table.body;
}

/** What a facts table says of a term, when it says it once. */
export function factOf(rows: Table["body"], term: string): string {
  const [fact, ...others] = rows.filter(({ cells }) => cells[0] === term);
  if (fact === undefined || others.length > 0) throw new SiteTrouble(`the bank does not show one "${term}"`);
  return fact.cells[1] ?? "";
}

/** Not empty: a text that has to stand there. */
export function shown(text: string, what: string): string {
  return must(text === "" ? { ok: false, reason: "it is empty" } : ok(text), what);
}
