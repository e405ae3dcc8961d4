import {
  type ActionRecord,
  type Confirmation,
  type Found,
  type JsonObject,
  parseInstant,
} from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { ask } from "./ask.ts";
import { ORDER_BY_CODE, ORDERS } from "./documents.ts";
import { CLOCK_SKEW_MS, PAGE_ORDERS } from "./limits.ts";
import { type Order, ordersShape } from "./shapes.ts";
import { isOf, isWanted, markOf, type OrderWish, orderWish } from "./wish.ts";

const VERSION = 1;

/** Saved before anything leaves: the shop numbers a cart when it is first filled, so the order's number is known by then. */
export function fingerprintOf(record: ActionRecord, code: string): JsonObject {
  return { v: VERSION, code, mark: markOf(record) };
}

export function traceOf(record: ActionRecord): JsonObject {
  return { v: VERSION, mark: markOf(record) };
}

export async function readBack(
  session: HttpSession,
  record: ActionRecord,
  print: JsonObject,
): Promise<Found<JsonObject>> {
  const { v, code, mark } = print;
  // One of another version is refused, not guessed (decisions.md 12).
  if (v !== VERSION || typeof mark !== "string") return unclear("the fingerprint is of another version");
  const wish = orderWish(record.parameters as JsonObject);
  return typeof code === "string" ? byCode(session, wish, code, mark) : byMark(session, record, wish, mark);
}

async function byCode(session: HttpSession, wish: OrderWish, code: string, mark: string): Promise<Found<JsonObject>> {
  const { activeCustomer } = await ask(session, ORDER_BY_CODE, { code }, ordersShape);
  if (activeCustomer === null) return { kind: "sign_in" };
  const [order, ...others] = activeCustomer.orders.items;
  // A cart can be thrown away, and then it cannot be ordered any more; but a list alone proves nothing.
  if (order === undefined || others.length > 0 || order.code !== code)
    return unclear("the shop does not show the cart that was to be ordered");
  if (order.active && order.orderPlacedAt === null) return { kind: "absent" };
  if (!hasMark(order, mark)) return unclear("the cart was ordered, and the shop does not say by whom");
  return isWanted(order, wish)
    ? { kind: "found", ...confirmationOf(order) }
    : unclear("the order with this task's mark is of something else");
}

/** Where only the record has survived: an order with the mark; one that is alike cannot be told from it. */
async function byMark(
  session: HttpSession,
  record: ActionRecord,
  wish: OrderWish,
  mark: string,
): Promise<Found<JsonObject>> {
  const { activeCustomer } = await ask(session, ORDERS, { take: PAGE_ORDERS, skip: 0 }, ordersShape);
  if (activeCustomer === null) return { kind: "sign_in" };
  const { items } = activeCustomer.orders;
  const marked = items.find((order) => hasMark(order, mark));
  if (marked !== undefined && isWanted(marked, wish)) return { kind: "found", ...confirmationOf(marked) };
  const created = parseInstant(record.created_at);
  const since = (order: Order) => {
    const placed = order.orderPlacedAt === null ? undefined : parseInstant(order.orderPlacedAt);
    return placed?.ok === true && created.ok && placed.value >= created.value - CLOCK_SKEW_MS;
  };
  const alike = items.some((order) => since(order) && order.lines.some((line) => isOf(line, wish)));
  if (marked !== undefined || alike) return unclear("an order of the same item was placed meanwhile");
  return items.length === PAGE_ORDERS && items.every(since)
    ? unclear("there are too many orders since")
    : { kind: "absent" };
}

/** What a way to pay shows of what it was given stands under `public`. */
function hasMark(order: Order, mark: string): boolean {
  return (order.payments ?? []).some(({ metadata }) => {
    const shown = isRecord(metadata) ? metadata["public"] : undefined;
    return isRecord(shown) && shown["reference"] === mark;
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function confirmationOf(order: Order): Confirmation<JsonObject> {
  const charged = { currency: order.currencyCode, total_minor: order.totalWithTax };
  const placed = order.orderPlacedAt === null ? {} : { placed_at: order.orderPlacedAt };
  return { confirmation: order.code, result: { order_number: order.code, ...charged, ...placed }, observed: charged };
}

function unclear(why: string): Found<JsonObject> {
  return { kind: "unclear", why };
}
