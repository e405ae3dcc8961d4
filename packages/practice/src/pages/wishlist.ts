import type { Exchange } from "../http/exchange.ts";
import type { Answer } from "../http/reply.ts";
import { productOf } from "../shop/catalogue.ts";
import type { Route } from "../shop/route.ts";
import { type Wish, wishlist } from "../shop/wishlist.ts";
import type { World } from "../shop/world.ts";
import { type Html, html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";
import { day } from "../site/parts.ts";
import { shopPage } from "./layout.ts";

function wishCard(world: World, wish: Wish): Html {
  const product = productOf(world.switches.changes(), wish.sku)?.sku ?? wish.sku;
  const id = `wish-${wish.sku}`;
  return html`<li><article class="card wish" aria-labelledby="${id}">
<img src="/assets/${product}.svg" alt="" width="160" height="120">
<div><h2 id="${id}"><a href="/products/${product}">${wish.title}</a></h2>
<dl>
<div><dt>Price</dt><dd>${formatMoney(wish.unitMinor, world.currency)}</dd></div>
<div><dt>Availability</dt><dd>${wish.stock === "in_stock" ? "In stock" : "Sold out"}</dd></div>
<div><dt>Saved on</dt><dd>${day(wish.addedAtMs)}</dd></div>
<div><dt>SKU</dt><dd>${wish.sku}</dd></div>
</dl></div></article></li>`;
}

function showWishlist(world: World, exchange: Exchange): Answer {
  const wishes = wishlist(world.switches.changes(), world.state.openedAtMs);
  const main = html`<h1>Your wishlist</h1><ul class="plain">${wishes.map((wish) => wishCard(world, wish))}</ul>`;
  return shopPage(world, exchange, { title: "Your wishlist", main });
}

export const wishlistRoutes: readonly Route[] = [
  { method: "GET", path: "/wishlist", access: "signed_in", handle: showWishlist },
];
