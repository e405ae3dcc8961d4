import { SiteTrouble } from "@countersign/plugin";
import type { Attempt } from "@countersign/plugin/site";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok, parseInstant } from "@countersign/wire";
import { ORDER_NUMBER, type ShopOrder } from "../shared/order.ts";
import { type LinesTable, readLines } from "./lines.ts";
import { readMoney } from "./money.ts";
import { expectHeading, visit } from "./visit.ts";

/** The order history as text. */
export interface OrdersLook {
  readonly heading: string;
  readonly orders: readonly {
    readonly heading: string;
    readonly facts: readonly Fact[];
    readonly tables: readonly LinesTable[];
  }[];
}

/** A term and its definition; `time` is what a program reads where the page has a time. */
export interface Fact {
  readonly term: string;
  readonly text: string;
  readonly time: string;
}

/** All orders of the account, newest first. @throws SiteTrouble when the history is not to be had or to be read. */
export function readOrders(session: BrowserSession): Promise<Attempt<readonly ShopOrder[]>> {
  return visit(session, "/orders", async (page) => ok(ordersOf(await lookAtOrders(page))));
}

function lookAtOrders(page: Page): Promise<OrdersLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const rows = (part: HTMLTableSectionElement | null) =>
      [...(part?.rows ?? [])].map((row) => [...row.cells].map((cell) => text(cell)));
    return {
      heading: text(document.querySelector("main h1")),
      orders: [...document.querySelectorAll("main article")].map((article) => ({
        heading: text(article.querySelector("h2")),
        facts: [...article.querySelectorAll("dl > div")].map((fact) => ({
          term: text(fact.querySelector("dt")),
          text: text(fact.querySelector("dd")),
          time: fact.querySelector("time")?.dateTime ?? "",
        })),
        tables: [...article.querySelectorAll("table")].map((table) => ({
          caption: text(table.caption),
          head: rows(table.tHead).flat(),
          body: [...table.tBodies].flatMap((part) => rows(part)),
          foot: rows(table.tFoot),
        })),
      })),
    };
  });
}

export function ordersOf(look: OrdersLook): readonly ShopOrder[] {
  expectHeading(look.heading, "Your orders");
  return look.orders.map((order): ShopOrder => {
    const number = order.heading.replace(/^Order /, "");
    const placedAt = factOf(order.facts, "Placed").time;
    if (!ORDER_NUMBER.test(number) || !parseInstant(placedAt).ok)
      throw new SiteTrouble("the shop shows an order that cannot be read");
    const charged = readMoney(factOf(order.facts, "Charged").text);
    const [table, ...others] = order.tables.filter((each) => each.caption === `Lines of ${number}`);
    if (table === undefined || others.length > 0) throw new SiteTrouble("the shop shows an order without its lines");
    return {
      number,
      placedAt,
      status: factOf(order.facts, "Status").text,
      currency: charged.currency,
      totalMinor: charged.minor,
      lines: readLines(table, charged.currency),
    };
  });
}

/** @throws SiteTrouble when the term is not there exactly once. */
export function factOf(facts: readonly Fact[], term: string): Fact {
  const [fact, ...others] = facts.filter((each) => each.term === term);
  if (fact === undefined || fact.text === "" || others.length > 0)
    throw new SiteTrouble(`the shop does not show one "${term}"`);
  return fact;
}
