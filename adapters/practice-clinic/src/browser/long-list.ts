import { SiteTrouble } from "@countersign/plugin/site";
import type { Page } from "@countersign/route-browser";
import { LIST_WAIT_MS, ROWS_MAX, SCROLLS_MAX } from "../shared/limits.ts";

// A list of the clinic's keeps about ten rows in the document and draws others as it is scrolled. It is read as a person
// would: a screenful at a time, down to its end. The list itself says how many rows there are and which one each is, so it
// is known whether all were seen; one that is not complete is not read at all.

export interface ListRow {
  readonly cells: readonly string[];
  /** Where the row's link leads; empty when it has none. */
  readonly href: string;
}

/** What of a list stands in the document now. */
export interface ListPart {
  readonly columns: readonly string[];
  /** As the list says, the head not counted. */
  readonly count: number;
  /** By position, from 0; a row that has not come yet is not among them. */
  readonly rows: readonly { readonly at: number; readonly row: ListRow }[];
  readonly isAtEnd: boolean;
}

export interface ListReading {
  readonly columns: readonly string[];
  readonly count: number;
  readonly rows: ReadonlyMap<number, ListRow>;
}

/**
 * Puts what is in the document now to what was seen before.
 * @throws SiteTrouble when the list has changed meanwhile: rows at other places, another length.
 */
export function merge(before: ListReading | undefined, part: ListPart): ListReading {
  if (!Number.isInteger(part.count) || part.count < 0 || part.count > ROWS_MAX)
    throw new SiteTrouble("the clinic does not say how long its list is");
  const rows = new Map(before?.rows);
  if (before !== undefined && (before.count !== part.count || before.columns.join("|") !== part.columns.join("|")))
    throw new SiteTrouble("the clinic's list changed while it was read");
  for (const { at, row } of part.rows) {
    if (!Number.isInteger(at) || at < 0 || at >= part.count)
      throw new SiteTrouble("the clinic's list has a row that is not one of its rows");
    if (row.cells.length !== part.columns.length)
      throw new SiteTrouble("the clinic's list has a row that cannot be read");
    const known = rows.get(at);
    if (known !== undefined && !isSame(known, row))
      throw new SiteTrouble("the clinic's list changed while it was read");
    rows.set(at, row);
  }
  return { columns: part.columns, count: part.count, rows };
}

function isSame(a: ListRow, b: ListRow): boolean {
  return a.href === b.href && a.cells.join("\n") === b.cells.join("\n");
}

/** Every row in its order. @throws SiteTrouble when one was not seen. */
export function wholeOf(reading: ListReading): readonly ListRow[] {
  return Array.from({ length: reading.count }, (_, at) => {
    const row = reading.rows.get(at);
    if (row === undefined) throw new SiteTrouble("the clinic's list did not show all of its rows");
    return row;
  });
}

/**
 * Every row of the page's one list with this name and exactly these columns, in order.
 * @throws SiteTrouble when the list is another one, does not come, changes meanwhile, or does not show all of its rows.
 */
export async function readLongList(page: Page, label: string, columns: readonly string[]): Promise<readonly ListRow[]> {
  const table = page.getByRole("table", { name: label, exact: true });
  if ((await table.count()) !== 1) throw new SiteTrouble("the clinic does not show its one list");
  let reading: ListReading | undefined;
  for (let scrolls = 0; scrolls < SCROLLS_MAX; scrolls += 1) {
    const part = await table.evaluate(lookAtList, { scroll: scrolls > 0, waitMs: LIST_WAIT_MS });
    if (part === undefined) throw new SiteTrouble("the rows of the clinic's list do not come");
    if (part.columns.join("|") !== columns.join("|")) throw new SiteTrouble("the clinic's list has other columns");
    reading = merge(reading, part);
    if (reading.rows.size === reading.count || part.isAtEnd) return wholeOf(reading);
  }
  throw new SiteTrouble("the clinic's list does not end");
}

/**
 * In the page: goes a screenful on, waits until no row in the document is on its way, and says what stands there.
 * Undefined when they do not come in time.
 */
async function lookAtList(
  element: Element,
  { scroll, waitMs }: { readonly scroll: boolean; readonly waitMs: number },
): Promise<ListPart | undefined> {
  const PAUSE_MS = 20;
  const text = (node: Node | null) => (node?.textContent ?? "").trim();
  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const list = element as HTMLElement;
  // A little less than what is in view: the row at the edge is seen twice rather than never.
  if (scroll) list.scrollTop += list.clientHeight * 0.8;
  const columns = [...list.querySelectorAll('[role="columnheader"]')].map(text);
  const count = Number(list.getAttribute("aria-rowcount")) - 1;
  const lines = () => [...list.querySelectorAll('[role="row"]')].filter((row) => row.querySelector('[role="cell"]'));
  const isDrawn = () => {
    const view = list.getBoundingClientRect();
    const drawn = lines();
    if (drawn.length === 0 || drawn.some((row) => row.getAttribute("aria-busy") === "true")) return count === 0;
    // Rows are drawn a moment after it was scrolled: what is in view now has to reach down to its edge, or to its end.
    const bottom = Math.max(...drawn.map((row) => row.getBoundingClientRect().bottom));
    const last = Math.max(...drawn.map((row) => Number(row.getAttribute("aria-rowindex"))));
    return bottom >= view.bottom - 1 || last === count + 1;
  };
  for (let waited = 0; waited < waitMs; waited += PAUSE_MS) {
    await pause();
    if (!isDrawn()) continue;
    return {
      columns,
      count: Number(list.getAttribute("aria-rowcount")) - 1,
      rows: lines().map((row) => ({
        at: Number(row.getAttribute("aria-rowindex")) - 2,
        row: {
          cells: [...row.querySelectorAll('[role="cell"]')].map(text),
          href: row.querySelector("a")?.getAttribute("href") ?? "",
        },
      })),
      isAtEnd: list.scrollTop + list.clientHeight >= list.scrollHeight - 1,
    };
  }
  return undefined;
}
