import { csrfToken, type Exchange, isSignedIn } from "../../http/exchange.ts";
import { type Answer, page } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { csrfField } from "../../site/parts.ts";
import type { Notice } from "../../site/site.ts";
import { BANK_NAME } from "../seed.ts";
import type { BankWorld } from "../world.ts";

const PLACES = [
  ["/accounts", "Accounts"],
  ["/payments/new", "Send money"],
  ["/payments", "Payments"],
  ["/payees", "Payees"],
  ["/points", "Points"],
] as const;

function menu(world: BankWorld, exchange: Exchange): Html {
  if (!isSignedIn(world, exchange)) return html`<a href="/login">Log in</a>`;
  const here = exchange.url.pathname;
  return html`${PLACES.map(
    ([href, text]) => html`<a href="${href}"${here === href ? html` aria-current="page"` : undefined}>${text}</a>`,
  )}
<form method="post" action="/logout">${csrfField(csrfToken(world, exchange.sid))}<button class="link">Log out</button></form>`;
}

/** A whole page of the bank around its main part. */
export function bankPage(
  world: BankWorld,
  exchange: Exchange,
  part: { readonly title: string; readonly main: Html; readonly status?: number },
): Answer {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${BANK_NAME}: ${part.title}</title>
<link rel="stylesheet" href="/assets/bank.css">
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml">
<script src="/assets/bank.js" defer></script>
</head>
<body>
<header class="bar"><a class="name" href="/"><img src="/assets/mark.svg" alt="" width="28" height="28"> ${BANK_NAME}</a>
<nav aria-label="Bank">${menu(world, exchange)}</nav></header>
<main>
${part.main}
</main>
<footer>A practice bank: no money is here, and none moves.</footer>
</body>
</html>
`;
  return page(part.status ?? 200, document.markup);
}

/** A page that is one heading, a sentence, and a way on. */
export function bankNotice(world: BankWorld, exchange: Exchange, notice: Notice): Answer {
  const main = html`<section class="panel narrow"><h1>${notice.title}</h1>
<p role="alert">${notice.text}</p>
<p><a href="${notice.href}">${notice.link}</a></p></section>`;
  return bankPage(world, exchange, { title: notice.title, main, status: notice.status });
}

/** What a form from an older session or another site gets. */
export function staleBankForm(world: BankWorld, exchange: Exchange): Answer {
  return bankNotice(world, exchange, {
    status: 403,
    title: "This page was out of date",
    text: "Nothing was changed. Open the page again and repeat what you wanted to do.",
    href: "/accounts",
    link: "Your accounts",
  });
}
