import { SiteTrouble } from "@countersign/plugin";
import type { Attempt } from "@countersign/plugin/site";
import { type BrowserSession, type Page, pathOf } from "@countersign/route-browser";
import { type JsonObject, ok } from "@countersign/wire";
import { CURRENCY, readMinor } from "./money.ts";
import { readSummary, type Summary, summaryInPage } from "./summary.ts";
import { visit } from "./visit.ts";

const HISTORY = "/account/orders";
const ORDER_PATH = /^\/account\/orders\/[0-9a-f-]{32,36}$/;
export const ORDER_NUMBER = /^[1-9][0-9]{0,14}$/;

/** A row of the history page. */
export interface HistoryRow {
  readonly number: string;
  readonly path: string;
  readonly status: string;
  readonly totalMinor: number;
}

export interface ShopOrder extends HistoryRow {
  readonly lines: Summary["lines"];
}

export interface HistoryLook {
  readonly isEmpty: boolean;
  readonly rows: readonly {
    readonly path: string;
    /** `Order #10001` */
    readonly name: string;
    /** The state of its delivery, its own state, its total. */
    readonly marks: readonly string[];
  }[];
}

/** The account's orders, oldest first as the shop lists them. */
export function readHistory(session: BrowserSession): Promise<Attempt<readonly HistoryRow[]>> {
  return visit(session, HISTORY, async (page) => {
    if (pathOf(page) !== HISTORY) throw new SiteTrouble("the shop did not show the orders");
    return ok(historyOf(await lookAtHistory(page)));
  });
}

/** @throws SiteTrouble when the order's own page says otherwise than its row. */
export function readOrder(session: BrowserSession, row: HistoryRow): Promise<Attempt<ShopOrder>> {
  return visit(session, row.path, async (page) => {
    const heading = await page.getByRole("heading", { level: 1 }).first().textContent();
    const summary = readSummary(await page.evaluate(summaryInPage));
    if (numberIn(heading ?? "") !== row.number || summary.totalMinor !== row.totalMinor)
      throw new SiteTrouble("the shop shows an order in two ways");
    return ok({ ...row, lines: summary.lines });
  });
}

/** @throws SiteTrouble for a page that is no history, or shows an order that cannot be read. */
export function historyOf(look: HistoryLook): readonly HistoryRow[] {
  if (look.isEmpty !== (look.rows.length === 0)) throw new SiteTrouble("the shop's orders cannot be read");
  const rows = look.rows.map(({ path, name, marks }): HistoryRow => {
    const number = numberIn(name);
    const [total = "", ...states] = [...marks].reverse();
    if (number === undefined || !ORDER_PATH.test(path)) throw new SiteTrouble("the shop's orders cannot be read");
    return { number, path, status: states.reverse().join(", "), totalMinor: readMinor(total) };
  });
  if (new Set(rows.map((row) => row.number)).size !== rows.length)
    throw new SiteTrouble("the shop shows an order twice");
  return rows;
}

/** A row of `retail.orders.list`. The shop shows a day, of the cart and not of the order: no time is given. */
export function orderRow(order: ShopOrder): JsonObject {
  return {
    order_number: order.number,
    ...(order.status === "" ? {} : { status: order.status.toLowerCase() }),
    currency: CURRENCY,
    total_minor: order.totalMinor,
    lines: order.lines.map((line) => ({
      title: [line.title, ...line.options].join(", "),
      quantity: line.quantity,
      ...(line.totalMinor % line.quantity === 0 ? { unit_minor: line.totalMinor / line.quantity } : {}),
    })),
  };
}

function numberIn(name: string): string | undefined {
  const number = /^Order\s*#\s*(\S+)$/.exec(name)?.[1];
  return number !== undefined && ORDER_NUMBER.test(number) ? number : undefined;
}

function lookAtHistory(page: Page): Promise<HistoryLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const links = [...document.querySelectorAll<HTMLAnchorElement>("main a[href*='/account/orders/']")];
    return {
      isEmpty: text(document.querySelector("main")).includes("You have not placed any orders yet."),
      rows: links.map((link) => ({
        path: link.origin === location.origin ? link.pathname : "",
        name: text(link.querySelector("div > div")),
        marks: [...link.querySelectorAll("span")].map((mark) => text(mark)).filter((mark) => mark !== ""),
      })),
    };
  });
}
