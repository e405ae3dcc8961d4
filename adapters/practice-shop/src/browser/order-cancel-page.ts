import { SiteTrouble } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import {
  type CancelledOrder,
  NO_SUCH_ORDER,
  ORDER_CANCELLED,
  ORDER_SENT,
  type OrderCancelPreview,
} from "../shared/order-cancel.ts";
import { readMinor, readMoney, readQuantity } from "./money.ts";
import { type Fact, factOf } from "./orders-page.ts";
import { expectHeading, visit } from "./visit.ts";

/** A page about one order, as text. */
export interface OrderLook {
  readonly heading: string;
  readonly facts: readonly Fact[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note: string;
}

export interface CancelPage extends OrderCancelPreview {
  /** The number under which this very page sends its request. */
  readonly request: string;
}

/** Why the page cannot be had, by the shop's own headings. */
const GAPS: ReadonlyMap<string, string> = new Map([
  ["No such order", NO_SUCH_ORDER],
  ["This order is on its way", ORDER_SENT],
  ["This order is already cancelled", ORDER_CANCELLED],
]);

export function cancelPath(number: string): string {
  return `/orders/${encodeURIComponent(number)}/cancel`;
}

/** The page with the button that cancels, as it stands. @throws SiteTrouble when it cannot be read. */
export async function onCancelPage(page: Page, number: string): Promise<Attempt<CancelPage>> {
  return cancelPageOf(await look(page), number);
}

export function cancelPageOf(seen: OrderLook, number: string): Attempt<CancelPage> {
  const why = GAPS.get(seen.heading);
  if (why !== undefined) return gap(why);
  expectHeading(seen.heading, `Cancel order ${number}`);
  const paid = readMoney(factOf(seen.facts, "You paid").text);
  if (seen.head.join("|") !== "Item|SKU|Quantity" || seen.rows.length === 0 || seen.note === "")
    throw new SiteTrouble("the shop shows a cancellation that cannot be read");
  return ok({
    number,
    currency: paid.currency,
    paidMinor: paid.minor,
    keptMinor: readMinor(factOf(seen.facts, "We keep").text, paid.currency),
    refundMinor: readMinor(factOf(seen.facts, "You get back").text, paid.currency),
    refundTo: factOf(seen.facts, "Paid back to").text,
    request: factOf(seen.facts, "Request number").text,
    consequence: seen.note,
    lines: seen.rows.map(([title, sku, quantity, ...more]) => {
      if (!title || !sku || !quantity || more.length > 0)
        throw new SiteTrouble("the shop shows a cancellation that cannot be read");
      return { sku, title, quantity: readQuantity(quantity) };
    }),
  });
}

/** Whether an order stands, or was called off and how. */
export function readStanding(session: BrowserSession, number: string): Promise<Attempt<CancelledOrder | "stands">> {
  return visit(session, `/orders/${encodeURIComponent(number)}`, async (page) => standingOf(await look(page), number));
}

export function standingOf(seen: OrderLook, number: string): Attempt<CancelledOrder | "stands"> {
  const why = GAPS.get(seen.heading);
  if (why !== undefined) return gap(why);
  expectHeading(seen.heading, `Order ${number}`);
  if (factOf(seen.facts, "Status").text !== "Cancelled") return ok("stands");
  const back = readMoney(factOf(seen.facts, "Paid back").text);
  const named = seen.facts.filter(({ term }) => term === "Request number");
  return ok({
    number,
    currency: back.currency,
    reference: factOf(seen.facts, "Cancellation").text,
    refundMinor: back.minor,
    keptMinor: readMinor(factOf(seen.facts, "Kept").text, back.currency),
    ...(named.length === 0 ? {} : { requested: factOf(seen.facts, "Request number").text }),
  });
}

function look(page: Page): Promise<OrderLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    const table = document.querySelector("main table");
    const cells = (row: Element) => [...row.querySelectorAll("th, td")].map((cell) => text(cell));
    return {
      heading: text(document.querySelector("main h1")),
      facts: [...document.querySelectorAll("main dl > div")].map((fact) => ({
        term: text(fact.querySelector("dt")),
        text: text(fact.querySelector("dd")),
        time: fact.querySelector("time")?.dateTime ?? "",
      })),
      head: [...(table?.querySelectorAll("thead tr") ?? [])].flatMap((row) => cells(row)),
      rows: [...(table?.querySelectorAll("tbody tr") ?? [])].map((row) => cells(row)),
      note: text(document.querySelector('main [role="note"]')),
    };
  });
}
