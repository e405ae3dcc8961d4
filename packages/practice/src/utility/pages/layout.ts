import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, page } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { csrfField } from "../../site/parts.ts";
import type { Notice } from "../../site/site.ts";
import { UTILITY_NAME } from "../seed.ts";
import type { UtilityWorld } from "../world.ts";

const PLACES = [
  ["/", "Overview"],
  ["/bills", "Bills"],
  ["/usage", "Usage"],
  ["/contracts", "Contracts"],
  ["/payments", "Payments"],
  ["/settings", "Settings"],
] as const;

interface Part {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  /** The single page's own script runs in it. */
  readonly app?: "app";
}

/** A whole document: for the sign-in and for notices, and the shell in which everything else is drawn by the script. */
export function utilityPage(world: UtilityWorld, exchange: Exchange, part: Part): Answer {
  const csrf = csrfToken(world, exchange.sid);
  const menu = isSignedIn(world, exchange)
    ? html`<nav aria-label="Northlight">${PLACES.map(([href, text]) => html`<a href="${href}">${text}</a>`)}</nav>
<form method="post" action="/sign-out">${csrfField(csrf)}<button class="quiet">Sign out</button></form>`
    : html``;
  const app =
    part.app === undefined
      ? html``
      : html`<meta name="csrf-token" content="${csrf}"><script src="/assets/app.js" type="module"></script>`;
  const document = html`<!doctype html>
<html lang="en-IE">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${part.title} · ${UTILITY_NAME}</title>
<link rel="stylesheet" href="/assets/northlight.css">
<link rel="icon" href="/assets/star.svg" type="image/svg+xml">
${app}
</head>
<body>
<header><a class="name" href="/"><img src="/assets/star.svg" alt="" width="30" height="30">Northlight</a>${menu}</header>
<main>${part.main}</main>
<footer>A practice site: no energy is sold here, and no money moves.</footer>
</body>
</html>
`;
  return page(part.status ?? 200, document.markup);
}

/** Everything after the sign-in is one document; its script draws the view that the address names. */
export function shell(world: UtilityWorld, exchange: Exchange): Answer {
  const main = html`<p role="status">Loading…</p><noscript><p>This site needs JavaScript.</p></noscript>`;
  return utilityPage(world, exchange, { title: "Your energy", main, app: "app" });
}

/** A page that is one heading, a sentence, and a way on. */
export function utilityNotice(world: UtilityWorld, exchange: Exchange, notice: Notice): Answer {
  const main = html`<section class="card narrow"><h1>${notice.title}</h1>
<p role="alert">${notice.text}</p><p><a href="${notice.href}">${notice.link}</a></p></section>`;
  return utilityPage(world, exchange, { title: notice.title, main, status: notice.status });
}

/** What a form from an older session or another site gets. */
export function staleUtilityForm(world: UtilityWorld, exchange: Exchange): Answer {
  return utilityNotice(world, exchange, {
    status: 403,
    title: "This page was out of date",
    text: "Nothing was changed. Open the page again and repeat what you wanted to do.",
    href: "/",
    link: "Overview",
  });
}
