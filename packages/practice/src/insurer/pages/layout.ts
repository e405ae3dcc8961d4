import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, page, pagePolicy } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { csrfField } from "../../site/parts.ts";
import type { Notice } from "../../site/site.ts";
import { INSURER_NAME } from "../seed.ts";
import type { InsurerWorld } from "../world.ts";

const PLACES = [
  ["/cover", "Your cover"],
  ["/claims", "Your claims"],
  ["/claims/new", "Make a claim"],
] as const;

function menu(world: InsurerWorld, exchange: Exchange): Html {
  if (!isSignedIn(world, exchange)) return html`<a href="/sign-in">Sign in</a>`;
  const here = exchange.url.pathname;
  return html`${PLACES.map(
    ([href, text]) => html`<a href="${href}"${here === href ? html` aria-current="page"` : undefined}>${text}</a>`,
  )}
<form method="post" action="/sign-out">${csrfField(csrfToken(world, exchange.sid))}<button class="quiet">Sign out</button></form>`;
}

/** A whole page of the insurer around its main part. */
export function insurerPage(
  world: InsurerWorld,
  exchange: Exchange,
  part: { readonly title: string; readonly main: Html; readonly status?: number },
): Answer {
  const document = html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${part.title} | ${INSURER_NAME}</title>
<link rel="stylesheet" href="/assets/fairhaven.css">
<link rel="icon" href="/assets/haven.svg" type="image/svg+xml">
</head>
<body>
<header><a class="name" href="/"><img src="/assets/haven.svg" alt="" width="36" height="36"><span>Fairhaven <em>Mutual</em></span></a>
<nav aria-label="Members">${menu(world, exchange)}</nav></header>
<main>
${part.main}
</main>
<footer>A practice insurer: nothing is insured here, and nothing is paid.</footer>
</body>
</html>
`;
  const policy = `${pagePolicy()}; frame-src ${world.places.claims}`;
  return page(part.status ?? 200, document.markup, { "content-security-policy": policy });
}

/** A page that is one heading, a sentence, and a way on. */
export function insurerNotice(world: InsurerWorld, exchange: Exchange, notice: Notice): Answer {
  const main = html`<section class="card slim"><h1>${notice.title}</h1>
<p role="alert">${notice.text}</p>
<p><a href="${notice.href}">${notice.link}</a></p></section>`;
  return insurerPage(world, exchange, { title: notice.title, main, status: notice.status });
}

/** What a form from an older session or another site gets. */
export function staleInsurerForm(world: InsurerWorld, exchange: Exchange): Answer {
  return insurerNotice(world, exchange, {
    status: 403,
    title: "This page was out of date",
    text: "Nothing was changed. Open the page again and repeat what you wanted to do.",
    href: "/cover",
    link: "Your cover",
  });
}
