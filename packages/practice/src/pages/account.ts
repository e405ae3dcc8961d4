import type { Exchange } from "../http/exchange.ts";
import type { Answer } from "../http/reply.ts";
import type { Route } from "../shop/route.ts";
import { ADDRESSES, INSTRUMENTS } from "../shop/seed.ts";
import type { World } from "../shop/world.ts";
import { html } from "../site/html.ts";
import { shopPage } from "./layout.ts";

/** First letter and host: enough to recognise one's own address, too little to learn it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}

function showAccount(world: World, exchange: Exchange): Answer {
  const main = html`<h1>Your account</h1>
<section class="card" aria-label="Profile"><dl>
<div><dt>Name</dt><dd>${world.user.name}</dd></div>
<div><dt>Email</dt><dd>${maskEmail(world.user.email)}</dd></div>
</dl></section>
<section class="card" aria-labelledby="addresses"><h2 id="addresses">Addresses</h2><ul>${ADDRESSES.map(
    (address) => html`<li>${address.label}: ${address.lines.join(", ")}</li>`,
  )}</ul></section>
<section class="card" aria-labelledby="cards"><h2 id="cards">Cards</h2><ul>${INSTRUMENTS.map(
    (instrument) => html`<li>${instrument.label}</li>`,
  )}</ul></section>`;
  return shopPage(world, exchange, { title: "Your account", main });
}

export const accountRoutes: readonly Route[] = [
  { method: "GET", path: "/account", access: "signed_in", handle: showAccount },
];
