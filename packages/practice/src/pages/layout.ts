import { csrfToken, type Exchange, isSignedIn } from "../http/exchange.ts";
import { type Answer, page } from "../http/reply.ts";
import { SHOP_NAME } from "../shop/seed.ts";
import type { World } from "../shop/world.ts";
import { type Html, html } from "../site/html.ts";
import { csrfField } from "../site/parts.ts";

function navigation(world: World, exchange: Exchange): Html {
  const here = exchange.url.pathname;
  const link = (href: string, text: string) =>
    html`<a href="${href}"${here === href ? html` aria-current="page"` : undefined}>${text}</a>`;
  if (!isSignedIn(world, exchange)) return html`${link("/", "Shop")}${link("/sign-in", "Sign in")}`;
  const pieces = [...world.state.cart.values()].reduce((sum, quantity) => sum + quantity, 0);
  return html`${link("/", "Shop")}${link("/cart", `Cart (${pieces})`)}${link("/orders", "Orders")}${link("/wishlist", "Wishlist")}${link("/membership", "Membership")}${link("/account", "Account")}
<form method="post" action="/sign-out">${csrfField(csrfToken(world, exchange.sid))}<button class="quiet">Sign out</button></form>`;
}

/** A whole page of the shop around its main part. */
export function shopPage(
  world: World,
  exchange: Exchange,
  part: { readonly title: string; readonly main: Html; readonly status?: number },
): Answer {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${part.title} – ${SHOP_NAME}</title>
<link rel="stylesheet" href="/assets/shop.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<script src="/assets/shop.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><div class="wide">
<a class="brand" href="/">${SHOP_NAME}</a>
<nav aria-label="Shop">${navigation(world, exchange)}</nav>
</div></header>
<main id="main" class="wide">
${part.main}
</main>
<footer><div class="wide">A practice shop: nothing here is sold, and no money moves.</div></footer>
</body>
</html>
`;
  return page(part.status ?? 200, document.markup);
}

/** A page that is one heading, a sentence, and a way on. */
export function noticePage(
  world: World,
  exchange: Exchange,
  notice: {
    readonly status: number;
    readonly title: string;
    readonly text: string;
    readonly href: string;
    readonly link: string;
  },
): Answer {
  const main = html`<div class="card narrow"><h1>${notice.title}</h1>
<p role="alert">${notice.text}</p>
<p><a href="${notice.href}">${notice.link}</a></p></div>`;
  return shopPage(world, exchange, { title: notice.title, main, status: notice.status });
}

/** What a form from an older session or another site gets. */
export function staleForm(world: World, exchange: Exchange): Answer {
  return noticePage(world, exchange, {
    status: 403,
    title: "This page was out of date",
    text: "Nothing was changed. Open the page again and repeat what you wanted to do.",
    href: "/",
    link: "Back to the shop",
  });
}
