import { type Attempt, must, ok, readAmount, readDate, SiteTrouble, wantsSignIn } from "@countersign/plugin/site";
import { type BrowserSession, createVisits, type Page } from "@countersign/route-browser";
import { DRAWN_MS, PAGES_MAX } from "../shared/limits.ts";

// The provider is one page whose script draws what the address names: the document is there at once and empty, what
// counts comes late. A view is drawn when its heading stands there; until then the page says that it is loading.

export const visits = createVisits({ signInPath: "/sign-in", site: "the provider" });

/** The provider writes as it says in its document: Irish English, euros with the sign before the amount. */
const LOCALE = "en-IE";
const CURRENCY = "EUR";
const AMOUNT = /^(-?)€([0-9,]+\.[0-9]{2})$/;

/**
 * An amount as the views print it, `€1,092.08`, below nothing `-€18.40`.
 * @throws SiteTrouble for anything else: an amount is read exactly or not at all.
 */
export function printedMinor(text: string): number {
  const [, sign = "", figures = ""] = AMOUNT.exec(text) ?? [];
  const { minor } = must(readAmount(figures, { currency: CURRENCY, locale: LOCALE }), "amount");
  if (sign !== "" && minor === 0) throw new SiteTrouble("the provider shows less than nothing of nothing");
  return sign === "" ? minor : -minor;
}

/** A day as the views print it, `12 December 2026`, as `YYYY-MM-DD`. @throws SiteTrouble for anything else. */
export function printedDay(text: string): string {
  if (!/^[0-9]{1,2} [A-Z][a-z]+ [0-9]{4}$/.test(text))
    throw new SiteTrouble("the provider shows a day that cannot be read");
  return must(readDate(text, { locale: LOCALE }), "day");
}

export interface Row {
  readonly cells: readonly string[];
  /** Where the row's first link leads. */
  readonly href: string;
}

/** One view, taken in one look so that no figure is of another moment than its neighbour. */
export interface Look {
  readonly heading: string;
  readonly alerts: readonly string[];
  readonly facts: readonly (readonly [term: string, text: string])[];
  readonly tables: readonly {
    readonly caption: string;
    readonly head: readonly string[];
    readonly body: readonly Row[];
  }[];
}

export function look(page: Page): Promise<Look> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const all = (root: ParentNode, what: string) => [...root.querySelectorAll(what)];
    return {
      heading: text(document.querySelector("main h1")),
      alerts: all(document, 'main [role="alert"]')
        .filter((alert) => !(alert as HTMLElement).hidden)
        .map(text),
      facts: all(document, "main dl > div").map(
        (fact) => [text(fact.querySelector("dt")), text(fact.querySelector("dd"))] as const,
      ),
      tables: all(document, "main table").map((each) => {
        const table = each as HTMLTableElement;
        return {
          caption: text(table.caption),
          head: [...(table.tHead?.rows ?? [])].flatMap((row) => [...row.cells].map(text)),
          body: [...table.tBodies].flatMap((part) =>
            [...part.rows].map((row) => ({
              cells: [...row.cells].map(text),
              href: row.querySelector("a")?.getAttribute("href") ?? "",
            })),
          ),
        };
      }),
    };
  });
}

/** Waits until the view is drawn; the provider may have led to its sign-in meanwhile. */
export async function drawn(page: Page): Promise<Attempt<Look>> {
  await page.getByRole("heading", { level: 1 }).waitFor({ timeout: DRAWN_MS });
  return visits.isSignIn(page) ? wantsSignIn() : ok(await look(page));
}

/** Opens a view and hands it over once it is drawn; the page is closed afterwards. */
export function onView<T>(
  session: BrowserSession,
  path: string,
  work: (seen: Look, page: Page) => Promise<Attempt<T>>,
): Promise<Attempt<T>> {
  return visits.visit(session, path, async (page) => {
    const seen = await drawn(page);
    return seen.ok ? work(seen.value, page) : seen;
  });
}

/** What the view says of a term, when it says it once. */
export function factOf(seen: Look, term: string): string {
  const [fact, ...others] = seen.facts.filter(([name]) => name === term);
  if (fact === undefined || others.length > 0) throw new SiteTrouble(`the provider does not show one "${term}"`);
  return fact[1];
}

/** Not empty: a text that has to stand there. */
export function shown(text: string, what: string): string {
  return must(text === "" ? { ok: false, reason: "it is empty" } : ok(text), what);
}

/** The rows of the one table with this caption and exactly these columns. @throws SiteTrouble for any other view. */
export function rowsOf(seen: Look, caption: string, columns: readonly string[]): readonly Row[] {
  const [table, ...others] = seen.tables.filter((each) => each.caption === caption);
  if (table === undefined || others.length > 0) throw new SiteTrouble("the provider does not show its one table");
  if (table.head.join("|") !== columns.join("|")) throw new SiteTrouble("the provider's table has other columns");
  if (table.body.some((row) => row.cells.length !== columns.length))
    throw new SiteTrouble("the provider's table has a row that cannot be read");
  return table.body;
}

export interface ListView {
  readonly path: string;
  readonly heading: string;
  readonly caption: string;
  readonly columns: readonly string[];
  /** The button that brings more rows, as long as there are some. */
  readonly older: string;
  /** Said in place of a table without rows. */
  readonly none: string;
}

/** The rows of a list that comes piece by piece, until `enough` says so or there are no more. */
export function listed(
  session: BrowserSession,
  view: ListView,
  enough: (rows: readonly Row[]) => boolean,
): Promise<Attempt<readonly Row[]>> {
  return onView(session, view.path, async (first, page) => {
    visits.expectHeading(first.heading, view.heading);
    if (await page.getByText(view.none, { exact: true }).isVisible()) return ok([]);
    let rows = rowsOf(first, view.caption, view.columns);
    const older = page.getByRole("button", { name: view.older, exact: true });
    for (let pieces = 1; pieces <= PAGES_MAX; pieces += 1) {
      if (enough(rows) || (await older.count()) === 0) return ok(rows);
      const table = page.getByRole("table", { name: view.caption, exact: true });
      await older.click();
      // Its heading's row stands before the rows; the next one is there when the piece has come.
      await table
        .getByRole("row")
        .nth(rows.length + 1)
        .waitFor({ timeout: DRAWN_MS });
      rows = rowsOf(await look(page), view.caption, view.columns);
    }
    throw new SiteTrouble("the provider's list does not end");
  });
}
