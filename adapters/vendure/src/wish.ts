import { createHash } from "node:crypto";
import type { Attempt } from "@countersign/plugin/site";
import { type ActionRecord, assert, type Ctx, gap, type JsonObject, ok } from "@countersign/plugin/site";
import { readItemRef } from "./item-get.ts";
import type { Order } from "./shapes.ts";

/** What `retail.order.submit` asks for, as the catalogue has validated it. */
export interface OrderWish {
  readonly itemRef: string;
  readonly quantity: number;
  readonly currency: string;
  readonly fulfillmentRef: string;
}

export function orderWish(parameters: JsonObject): OrderWish {
  const { item_ref: itemRef, quantity, currency, fulfillment_ref: fulfillmentRef } = parameters;
  assert(typeof itemRef === "string" && typeof quantity === "number", "parameters are as the catalogue says");
  assert(typeof currency === "string" && typeof fulfillmentRef === "string", "parameters are as the catalogue says");
  return { itemRef, quantity, currency, fulfillmentRef };
}

/** The shop's own id for the address that a request names by its opaque ref (decisions.md 14). */
export async function addressIdOf(ctx: Ctx, wish: OrderWish): Promise<Attempt<string>> {
  const detail = await ctx.detail(wish.fulfillmentRef);
  if (detail?.kind !== "fulfillment") return gap("the delivery reference is no address of this account");
  if (detail.siteKey === undefined) return gap("the shop delivers only to addresses that it keeps itself");
  return ok(detail.siteKey);
}

/** Whether an order is of the wanted item alone, in the wanted quantity. */
export function isWanted(order: Order, wish: OrderWish): boolean {
  const [line, ...others] = order.lines;
  return others.length === 0 && line !== undefined && isOf(line, wish) && line.quantity === wish.quantity;
}

/** Told by the SKU: a product's slug may be changed after the order. */
export function isOf({ productVariant }: Order["lines"][number], wish: OrderWish): boolean {
  return productVariant.sku === readItemRef(wish.itemRef)?.sku;
}

/**
 * The mark that goes with the payment, derived from the task: a shop whose way to pay keeps and shows it (`public`) tells
 * by it whose payment placed the order, since the person may pay for the same cart themselves (lessons U04).
 */
export function markOf(record: ActionRecord): string {
  const { issuer, task_id: task, operation } = record;
  const digest = createHash("sha256").update(`countersign own reference/1\n${issuer}\n${task}\n${operation}`);
  return `CS-${digest.digest("hex").slice(0, 24)}`;
}
