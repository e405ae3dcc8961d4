import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { policiesOf } from "../book.ts";
import type { Policy } from "../model.ts";
import type { InsurerRoute } from "../route.ts";
import { MEMBER_NUMBER } from "../seed.ts";
import type { InsurerWorld } from "../world.ts";
import { insurerPage } from "./layout.ts";
import { longDay, pounds } from "./money.ts";

export function facts(rows: readonly (readonly [string, string])[]): Html {
  return html`<dl>${rows.map(
    ([term, text]) => html`
<div><dt>${term}</dt><dd>${text}</dd></div>`,
  )}
</dl>`;
}

function card(policy: Policy, insured: string): Html {
  const rows = policy.covers.map(
    (cover) => html`
<tr><th scope="row">${cover.title}</th><td data-is="Up to">${pounds(cover.limitMinor)}</td><td data-is="Used">${pounds(cover.usedMinor)}</td><td data-is="We pay">${cover.percent}%</td><td>${cover.note}</td></tr>`,
  );
  return html`<article class="card" aria-labelledby="${policy.id}">
<h2 id="${policy.id}">${policy.name}</h2>
${facts([
  ["Policy number", policy.number],
  ["Insured", insured],
  ["Runs from", longDay(policy.startsOn)],
  ["Runs until", longDay(policy.endsOn)],
  ["Premium", `${pounds(policy.premiumMinor)} a ${policy.premiumPer}`],
  ["Excess", `${pounds(policy.excessMinor)} of each claim`],
])}
<div class="wide"><table><caption>What is covered</caption>
<thead><tr><th scope="col">Cover</th><th scope="col">Up to</th><th scope="col">Used</th><th scope="col">We pay</th><th scope="col">Note</th></tr></thead>
<tbody>${rows}
</tbody></table></div>
<p><a class="act" href="/claims/new?policy=${policy.id}">Claim on this policy</a></p></article>`;
}

function showCover(world: InsurerWorld, exchange: Exchange): Answer {
  const main = html`<h1>Your cover</h1>
<p class="soft">${world.user.name}, member ${MEMBER_NUMBER}</p>
${policiesOf(world).map((policy) => card(policy, world.user.name))}`;
  return insurerPage(world, exchange, { title: "Your cover", main });
}

export const coverRoutes: readonly InsurerRoute[] = [
  { method: "GET", path: "/cover", access: "signed_in", handle: showCover },
];
