import type { Found } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { assert, type Digest, digestOfText, err, type JsonObject, ok, type Result } from "@countersign/wire";
import { sameTexts } from "./cart-page.ts";
import type { HistoryRow, ShopOrder } from "./history.ts";
import { KNOWN_ORDERS_MAX } from "./limits.ts";
import { CURRENCY } from "./money.ts";
import type { Product } from "./product-page.ts";
import { readProductState } from "./terms.ts";
import { orderWish } from "./wish.ts";

/** What a read-back looks for: saved before anything leaves (lessons U04). */
export interface Fingerprint {
  readonly knownNumbers: readonly string[];
  readonly product: Product;
  readonly quantity: number;
  readonly totalMinor: number;
}

const VERSION = 1;
/** No version that any build reads. */
const UNREADABLE = 0;

/**
 * @param history oldest first.
 * @param requestUrl the held request's: it names the cart, which opens the cart to whoever has it, so only as a digest.
 */
export async function fingerprintOf(
  record: ActionRecord,
  history: readonly HistoryRow[],
  product: Product,
  requestUrl: string,
): Promise<JsonObject> {
  const { quantity } = orderWish(record.parameters as JsonObject);
  const { total_minor: totalMinor } = record.terms as JsonObject;
  assert(typeof totalMinor === "number", "a record's terms are as the catalogue says");
  const cart: Digest = await digestOfText(new URL(requestUrl).pathname);
  return {
    v: VERSION,
    known_numbers: history.slice(-KNOWN_ORDERS_MAX).map((row) => row.number),
    title: product.title,
    sku: product.sku,
    options: [...product.options],
    quantity,
    total_minor: totalMinor,
    cart,
  };
}

/** The newest order when the task was prepared, for `traceOf`: the shop counts up, so every later one is newer. */
export function knownAtPrepare(history: readonly HistoryRow[]): JsonObject {
  const [newest] = history.map((row) => row.number).sort((a, b) => Number(b) - Number(a));
  return { known_numbers: newest === undefined ? [] : [newest] };
}

/**
 * What is looked for when only the record and the state of `prepare` have survived (STA-8): any order of it is newer than
 * the task. State that does not say which orders were there gives a fingerprint that finds nothing and denies nothing.
 */
export function traceOf(record: ActionRecord, state: JsonObject): JsonObject {
  const product = readProductState(state);
  const known = texts(state["known_numbers"]);
  if (!product.ok || known === undefined) return { v: UNREADABLE };
  const { quantity } = orderWish(record.parameters as JsonObject);
  const { total_minor: totalMinor } = record.terms as JsonObject;
  assert(typeof totalMinor === "number", "a record's terms are as the catalogue says");
  const { title, sku, options } = product.value;
  return {
    v: VERSION,
    known_numbers: [...known],
    title,
    sku,
    options: [...options],
    quantity,
    total_minor: totalMinor,
  };
}

export function readFingerprint(value: JsonObject): Result<Fingerprint, "unreadable"> {
  const { v, known_numbers: known, title, sku, options, quantity, total_minor: totalMinor } = value;
  const knownNumbers = texts(known);
  const optionTexts = texts(options);
  if (v !== VERSION || knownNumbers === undefined || optionTexts === undefined) return err("unreadable");
  if (typeof title !== "string" || typeof sku !== "string" || typeof quantity !== "number") return err("unreadable");
  if (typeof totalMinor !== "number") return err("unreadable");
  return ok({ knownNumbers, product: { title, sku, options: optionTexts }, quantity, totalMinor });
}

function texts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = value.filter((each) => typeof each === "string");
  return found.length === value.length ? found : undefined;
}

/** Orders that were not there before the submission. The shop counts its orders up: an older one is none of them. */
export function newRows(history: readonly HistoryRow[], print: Fingerprint): readonly HistoryRow[] {
  const newest = Math.max(0, ...print.knownNumbers.map(Number));
  return history.filter((row) => !print.knownNumbers.includes(row.number) && Number(row.number) > newest);
}

export type Match = Extract<Found<JsonObject>, { kind: "found" | "unclear" }> | { readonly kind: "none" };

/**
 * Finds one submission's order among the new ones. One of the same item and quantity is it, whatever it cost: the amount
 * is reported, never a reason to look away. Two of them are one too many to tell apart, even when only one has the
 * approved total, since the shop may have charged ours otherwise (STA-3).
 */
export function findOrder(orders: readonly ShopOrder[], print: Fingerprint): Match {
  const [order, ...others] = orders.filter((each) => isWanted(each, print));
  if (others.length > 0) return { kind: "unclear", why: "more than one new order matches" };
  if (order === undefined) {
    const touched = orders.some((each) => each.lines.some((line) => line.title === print.product.title));
    return touched ? { kind: "unclear", why: "a new order holds the item otherwise than asked" } : { kind: "none" };
  }
  const { number, totalMinor } = order;
  return {
    kind: "found",
    confirmation: number,
    result: { order_number: number, currency: CURRENCY, total_minor: totalMinor },
    observed: { currency: CURRENCY, total_minor: totalMinor },
  };
}

function isWanted(order: ShopOrder, print: Fingerprint): boolean {
  const [line, ...others] = order.lines;
  return (
    others.length === 0 &&
    line?.title === print.product.title &&
    line.quantity === print.quantity &&
    sameTexts(line.options, print.product.options)
  );
}
