import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, page } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { csrfField } from "../../site/parts.ts";
import type { Notice } from "../../site/site.ts";
import { SERVICE_NAME } from "../seed.ts";
import type { LanternWorld } from "../world.ts";

const PLACES = [
  ["/subscriptions", "Subscriptions"],
  ["/account", "Account"],
] as const;

function menu(world: LanternWorld, exchange: Exchange): Html {
  if (!isSignedIn(world, exchange)) return html`<a href="/sign-in">Sign in</a>`;
  const here = exchange.url.pathname;
  return html`${PLACES.map(
    ([href, text]) => html`<a href="${href}"${here === href ? html` aria-current="page"` : undefined}>${text}</a>`,
  )}
<form method="post" action="/sign-out">${csrfField(csrfToken(world, exchange.sid))}<button class="plain">Sign out</button></form>`;
}

/** A whole page of the service around its main part. A slim one is one column, as the steps of its flows are. */
export function lanternPage(
  world: LanternWorld,
  exchange: Exchange,
  part: { readonly title: string; readonly main: Html; readonly status?: number; readonly width?: "slim" },
): Answer {
  const document = html`<!doctype html>
<html lang="en-IE">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${part.title} – ${SERVICE_NAME}</title>
<link rel="stylesheet" href="/assets/lantern.css">
<link rel="icon" href="/assets/lantern.svg" type="image/svg+xml">
</head>
<body>
<header><a class="brand" href="/"><img src="/assets/lantern.svg" alt="" width="32" height="32"> ${SERVICE_NAME}</a>
<nav aria-label="${SERVICE_NAME}">${menu(world, exchange)}</nav></header>
<main${part.width === "slim" ? html` class="slim"` : undefined}>
${part.main}
</main>
<footer>A practice service: nothing plays here, and nothing is charged.</footer>
</body>
</html>
`;
  return page(part.status ?? 200, document.markup);
}

/** A page that is one heading, a sentence, and a way on. */
export function lanternNotice(world: LanternWorld, exchange: Exchange, notice: Notice): Answer {
  const main = html`<h1>${notice.title}</h1>
<p role="alert">${notice.text}</p>
<p class="ways"><a class="act" href="${notice.href}">${notice.link}</a></p>`;
  return lanternPage(world, exchange, { title: notice.title, main, status: notice.status, width: "slim" });
}

export function back(world: LanternWorld, exchange: Exchange, status: number, title: string, text: string): Answer {
  return lanternNotice(world, exchange, {
    status,
    title,
    text,
    href: "/subscriptions",
    link: "Your subscriptions",
  });
}

/** What a form from an older session or another site gets. */
export function staleLanternForm(world: LanternWorld, exchange: Exchange): Answer {
  const text = "Nothing was changed. Open the page again and repeat what you wanted to do.";
  return back(world, exchange, 403, "This page was out of date", text);
}

export function lapsed(world: LanternWorld, exchange: Exchange): Answer {
  return back(world, exchange, 410, "This has lapsed", "It was not confirmed in time. Nothing was changed.");
}

/** Terms and what is said of them. */
export function facts(rows: readonly (readonly [string, string])[]): Html {
  return html`<dl>${rows.map(
    ([term, text]) => html`
<dt>${term}</dt><dd>${text}</dd>`,
  )}
</dl>`;
}
