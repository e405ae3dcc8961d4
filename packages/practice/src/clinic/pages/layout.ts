import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, page } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { csrfField } from "../../site/parts.ts";
import type { Notice } from "../../site/site.ts";
import { CLINIC_NAME } from "../seed.ts";
import type { ClinicWorld } from "../world.ts";

const PLACES = [
  ["/appointments", "Appointments"],
  ["/book", "Book a visit"],
  ["/bills", "Bills"],
  ["/claims", "Claims"],
] as const;

function menu(world: ClinicWorld, exchange: Exchange): Html {
  if (!isSignedIn(world, exchange)) return html`<a href="/sign-in">Sign in</a>`;
  const here = exchange.url.pathname;
  return html`${PLACES.map(
    ([href, text]) => html`<a href="${href}"${here === href ? html` aria-current="page"` : undefined}>${text}</a>`,
  )}
<form method="post" action="/sign-out">${csrfField(csrfToken(world, exchange.sid))}<button class="plain">Sign out</button></form>`;
}

/** A whole page of the clinic around its main part. */
export function clinicPage(
  world: ClinicWorld,
  exchange: Exchange,
  part: { readonly title: string; readonly main: Html; readonly status?: number; readonly script?: string },
): Answer {
  const document = html`<!doctype html>
<html lang="en-IE">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${part.title} | ${CLINIC_NAME}</title>
<link rel="stylesheet" href="/files/clinic.css">
<link rel="icon" href="/files/leaf.svg" type="image/svg+xml">
<script src="/files/clinic.js" defer></script>${part.script === undefined ? undefined : html`<script src="${part.script}" defer></script>`}
</head>
<body>
<header><a class="name" href="/"><img src="/files/leaf.svg" alt="" width="32" height="32">${CLINIC_NAME}</a>
<nav aria-label="Clinic">${menu(world, exchange)}</nav></header>
<main>
${part.main}
</main>
<footer>A practice clinic. Nobody is treated here, and no patient is real. All times are those of Ireland.</footer>
</body>
</html>
`;
  return page(part.status ?? 200, document.markup);
}

/** A page that is one heading, a sentence, and a way on. */
export function clinicNotice(world: ClinicWorld, exchange: Exchange, notice: Notice): Answer {
  const main = html`<section class="sheet small"><h1>${notice.title}</h1>
<p role="alert">${notice.text}</p>
<p><a href="${notice.href}">${notice.link}</a></p></section>`;
  return clinicPage(world, exchange, { title: notice.title, main, status: notice.status });
}

/** What a form from an older session or another site gets. */
export function staleClinicForm(world: ClinicWorld, exchange: Exchange): Answer {
  return clinicNotice(world, exchange, {
    status: 403,
    title: "This page was out of date",
    text: "Nothing was changed. Open the page again and repeat what you wanted to do.",
    href: "/appointments",
    link: "Your appointments",
  });
}
