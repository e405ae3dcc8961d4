import type { Ctx } from "@countersign/plugin";
import { type Attempt, gap } from "@countersign/plugin/site";
import { assert, type JsonObject, ok } from "@countersign/wire";

/** What `retail.order.submit` asks for, as the catalogue has validated it. */
export interface OrderWish {
  readonly sku: string;
  readonly quantity: number;
  readonly fulfillmentRef: string;
}

export function orderWish(parameters: JsonObject): OrderWish {
  const { item_ref: sku, quantity, fulfillment_ref: fulfillmentRef } = parameters;
  assert(typeof sku === "string" && typeof quantity === "number", "parameters are as the catalogue says");
  assert(typeof fulfillmentRef === "string", "parameters are as the catalogue says");
  return { sku, quantity, fulfillmentRef };
}

/** The shop's own id for the address that a request names by its opaque ref (decisions.md 14). */
export async function addressOf(ctx: Ctx, wish: OrderWish): Promise<Attempt<string>> {
  const detail = await ctx.detail(wish.fulfillmentRef);
  if (detail?.kind !== "fulfillment") return gap("the delivery reference is no address of this account");
  if (detail.siteKey === undefined) return gap("the shop delivers only to addresses that it keeps itself");
  return ok(detail.siteKey);
}
