import type { Exchange } from "../../http/exchange.ts";
import type { Answer } from "../../http/reply.ts";
import { type Html, html } from "../../site/html.ts";
import { randomToken } from "../../site/random.ts";
import { claimsOf, policyOf } from "../book.ts";
import { TICKET_MS } from "../limits.ts";
import type { Claim, Draft } from "../model.ts";
import type { InsurerRoute } from "../route.ts";
import type { InsurerWorld } from "../world.ts";
import { facts } from "./cover.ts";
import { insurerPage } from "./layout.ts";
import { longDay, pounds } from "./money.ts";

const STATES = {
  received: "Received",
  being_assessed: "Being assessed",
  paid: "Paid",
  declined: "Declined",
} as const;

function policyName(world: InsurerWorld, id: string): string {
  const policy = policyOf(world, id);
  return policy === undefined ? "" : `${policy.name} ${policy.number}`;
}

function claimItem(world: InsurerWorld, claim: Claim): Html {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Claim number", claim.number],
    ["Policy", policyName(world, claim.policy)],
    ["Happened on", longDay(claim.happenedOn)],
    ["Sent on", longDay(claim.submittedOn)],
    ["Status", STATES[claim.status]],
    ["Claimed", pounds(claim.amountMinor)],
    ["Excess", pounds(claim.excessMinor)],
    ["Agreed", claim.approvedMinor === undefined ? undefined : pounds(claim.approvedMinor)],
    ["Paid", claim.paidMinor === undefined ? undefined : pounds(claim.paidMinor)],
    ["Paid on", claim.paidOn === undefined ? undefined : longDay(claim.paidOn)],
    ["Your own reference", claim.ownReference === "" ? undefined : claim.ownReference],
  ];
  return html`
<li class="card"><h2>${claim.title}</h2>
${facts(rows.flatMap(([term, text]) => (text === undefined ? [] : [[term, text] as const])))}</li>`;
}

function draftItem(world: InsurerWorld, draft: Draft): Html {
  const lapsed = draft.lapsesAtMs <= world.now();
  return html`
<li class="card"><h3>Claim ${draft.number}</h3>
${facts([
  ["Your own reference", draft.said.ownReference ?? ""],
  ["State", lapsed ? "Lapsed" : "Not sent"],
])}${
  lapsed
    ? undefined
    : html`
<p><a href="/claims/new?claim=${draft.number}">Go on</a></p>`
}</li>`;
}

/** Those that came to the last step and were not sent, oldest first. */
function openDrafts(world: InsurerWorld): readonly Draft[] {
  return world.state.drafts.filter((draft) => draft.sent === undefined && draft.said.ownReference !== undefined);
}

/** What was sent, and what was begun and not sent: somebody who has lost an answer can tell the one from the other. */
function showClaims(world: InsurerWorld, exchange: Exchange): Answer {
  const open = openDrafts(world);
  const main = html`<h1>Your claims</h1>
<p><a class="act" href="/claims/new">Make a claim</a></p>
<ol class="plain" aria-label="Claims sent">${claimsOf(world).map((claim) => claimItem(world, claim))}
</ol>
${
  open.length === 0
    ? undefined
    : html`<h2>Begun and not sent</h2>
<ul class="plain" aria-label="Claims not sent">${open.toReversed().map((draft) => draftItem(world, draft))}
</ul>`
}`;
  return insurerPage(world, exchange, { title: "Your claims", main });
}

/**
 * The page around the claims company's form. What lets the form in is a ticket in its address: good once, for a minute,
 * for this session. No cookie goes across.
 */
function showNewClaim(world: InsurerWorld, exchange: Exchange): Answer {
  const ticket = randomToken(world.random);
  const { searchParams } = exchange.url;
  const policy = policyOf(world, searchParams.get("policy") ?? "")?.id;
  const draft = openDrafts(world).find(({ number }) => number === searchParams.get("claim"))?.number;
  const made = {
    sid: exchange.sid,
    ...(policy === undefined ? {} : { policy }),
    ...(draft === undefined ? {} : { draft }),
  };
  world.state.tickets.put(ticket, made, world.now() + TICKET_MS);
  const main = html`<h1>Make a claim</h1>
<p class="soft">Our partner Brightwell handles claims for us, day and night.</p>
<iframe title="Claim form" src="${world.places.claims}/start?ticket=${ticket}"></iframe>`;
  return insurerPage(world, exchange, { title: "Make a claim", main });
}

export const claimRoutes: readonly InsurerRoute[] = [
  { method: "GET", path: "/claims", access: "signed_in", readBack: "read_back", handle: showClaims },
  { method: "GET", path: "/claims/new", access: "signed_in", handle: showNewClaim },
];
