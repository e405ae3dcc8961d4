import type { Ctx } from "@countersign/plugin";
import { assert, formatInstant, type JsonObject } from "@countersign/wire";

export const NO_SUCH_ITEM = "the shop has no such item";
export const IN_VARIANTS = "the item is offered in variants of which one must be named";

/** One item as the shop shows it, by whichever route it was read. */
export interface ShopItem {
  readonly sku: string;
  readonly title: string;
  readonly description: string;
  readonly currency: string;
  readonly unitMinor: number;
  readonly isAvailable: boolean;
  /** The most that one order may hold; absent where nothing can be ordered. */
  readonly quantityMax?: number;
}

export interface ShopWish extends Omit<ShopItem, "description" | "quantityMax"> {
  /** RFC 3339. */
  readonly addedAt: string;
}

/** The result of `retail.item.get`. */
export function itemResult(ctx: Pick<Ctx, "now">, item: ShopItem): JsonObject {
  return {
    item_ref: item.sku,
    title: item.title,
    ...(item.description === "" ? {} : { description: item.description }),
    available: item.isAvailable,
    ...(item.quantityMax === undefined ? {} : { quantity_max: item.quantityMax }),
    currency: item.currency,
    price_minor: item.unitMinor,
    looked_at: formatInstant(ctx.now()),
  };
}

/** One look of `retail.deal.watch`: another currency never meets the price, nor does what cannot be had. */
export function watchResult(ctx: Pick<Ctx, "now">, item: ShopItem, params: JsonObject): JsonObject {
  const { at_most_minor: atMost, currency } = params;
  assert(typeof atMost === "number" && typeof currency === "string", "parameters are as the catalogue says");
  return {
    item_ref: item.sku,
    title: item.title,
    met: item.isAvailable && item.currency === currency && item.unitMinor <= atMost,
    available: item.isAvailable,
    currency: item.currency,
    price_minor: item.unitMinor,
    looked_at: formatInstant(ctx.now()),
  };
}

/** A row of `retail.wishlist.list`. */
export function wishRow(wish: ShopWish): JsonObject {
  return {
    item_ref: wish.sku,
    title: wish.title,
    added_at: wish.addedAt,
    available: wish.isAvailable,
    currency: wish.currency,
    price_minor: wish.unitMinor,
  };
}

/** The item that a request names, as the catalogue has validated it. */
export function itemRef(params: JsonObject): string {
  const { item_ref: sku } = params;
  assert(typeof sku === "string", "parameters are as the catalogue says");
  return sku;
}
