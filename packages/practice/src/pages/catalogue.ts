import { csrfToken, type Exchange } from "../http/exchange.ts";
import type { Answer } from "../http/reply.ts";
import { LINE_QUANTITY_MAX } from "../limits.ts";
import { currentProducts, findProduct } from "../shop/catalogue.ts";
import type { Product } from "../shop/model.ts";
import type { Route } from "../shop/route.ts";
import type { World } from "../shop/world.ts";
import { type Html, html } from "../site/html.ts";
import { formatMoney } from "../site/money.ts";
import { csrfField } from "../site/parts.ts";
import { noticePage, shopPage } from "./layout.ts";

function showCatalogue(world: World, exchange: Exchange): Answer {
  const cards = currentProducts(world.switches.changes()).map(
    (product) => html`<li class="card product"><a href="/products/${product.sku}">
<img src="/assets/${product.sku}.svg" alt="" width="160" height="120">
<h2>${product.title}</h2></a>
<p>${product.summary}</p>
<p class="price">${formatMoney(product.unitMinor, world.currency)}${product.stock === "sold_out" ? html` <span class="tag">Sold out</span>` : undefined}</p></li>`,
  );
  const main = html`<h1>For days outside</h1><ul class="grid">${cards}</ul>`;
  return shopPage(world, exchange, { title: "Shop", main });
}

function skuField(product: Product): Html {
  if (product.variants.length === 0) return html`<input type="hidden" name="sku" value="${product.sku}">`;
  return html`<label for="variant">${product.optionName}</label>
<select id="variant" name="sku" data-shows-sku>${product.variants.map(
    (variant) => html`<option value="${variant.sku}">${variant.name}</option>`,
  )}</select>`;
}

function orderForm(world: World, exchange: Exchange, product: Product): Html {
  if (product.stock === "sold_out")
    return html`<p role="status" class="alert">Sold out. We do not know yet when it returns.</p>`;
  return html`<form method="post" action="/cart">
${csrfField(csrfToken(world, exchange.sid))}${skuField(product)}
<label for="quantity">Quantity</label>
<input id="quantity" name="quantity" type="number" min="1" max="${LINE_QUANTITY_MAX}" value="1" required>
<button class="main">Add to cart</button>
</form>`;
}

function showProduct(world: World, exchange: Exchange): Answer {
  const product = findProduct(world.switches.changes(), exchange.params["sku"] ?? "");
  if (!product) {
    return noticePage(world, exchange, {
      status: 404,
      title: "We do not have this",
      text: "There is no product at this address.",
      href: "/",
      link: "Back to the shop",
    });
  }
  const shownSku = product.variants[0]?.sku ?? product.sku;
  const main = html`<article class="card split">
<img src="/assets/${product.sku}.svg" alt="" width="320" height="240">
<div><h1>${product.title}</h1>
<p class="price">${formatMoney(product.unitMinor, world.currency)}</p>
<p>${product.description}</p>
<p class="small">SKU <span data-live="sku">${shownSku}</span></p>
${orderForm(world, exchange, product)}</div></article>`;
  return shopPage(world, exchange, { title: product.title, main });
}

export const catalogueRoutes: readonly Route[] = [
  { method: "GET", path: "/", access: "anyone", handle: showCatalogue },
  { method: "GET", path: "/products/:sku", access: "anyone", handle: showProduct },
];
