import type { Exchange } from "../http/exchange.ts";
import { type Answer, json } from "../http/reply.ts";
import { LINE_QUANTITY_MAX } from "../limits.ts";
import { findItem, findProduct, productOf } from "../shop/catalogue.ts";
import { wishlist } from "../shop/wishlist.ts";
import type { World } from "../shop/world.ts";
import { instant, refuseApi } from "./wire.ts";

/** One item by its SKU, as this account may have it; a product that is sold in variants is answered with them, and without being one. */
export function showItem(world: World, exchange: Exchange): Answer {
  const changes = world.switches.changes();
  const sku = exchange.params["sku"] ?? "";
  const item = findItem(changes, sku);
  if (item === undefined) {
    const product = findProduct(changes, sku);
    return product === undefined ? refuseApi("not_found") : refuseApi("choose_variant", { variants: product.variants });
  }
  return json(200, {
    sku,
    title: item.title,
    description: productOf(changes, sku)?.description ?? "",
    unit_minor: item.unitMinor,
    currency: world.currency,
    stock: item.stock,
    quantity_max: LINE_QUANTITY_MAX,
  });
}

export function showWishlist(world: World): Answer {
  const items = wishlist(world.switches.changes(), world.state.openedAtMs).map((wish) => ({
    sku: wish.sku,
    title: wish.title,
    added_at: instant(wish.addedAtMs),
    unit_minor: wish.unitMinor,
    currency: world.currency,
    stock: wish.stock,
  }));
  return json(200, { items });
}
