import type { Exchange } from "../../http/exchange.ts";
import { type Answer, redirect } from "../../http/reply.ts";
import { randomToken } from "../../site/random.ts";
import { DRAFT_MS, DRAFTS_MAX } from "../limits.ts";
import type { Draft, Wish } from "../model.ts";
import type { InsurerWorld } from "../world.ts";
import { frameNotice } from "./layout.ts";

/** A browser says where an answer will stand; an older one says nothing. */
function standsAlone(exchange: Exchange): boolean {
  const dest = exchange.headers["sec-fetch-dest"];
  return typeof dest === "string" && dest !== "iframe";
}

export function alone(world: InsurerWorld): Answer {
  return frameNotice(
    world,
    403,
    "This form belongs to Fairhaven's pages",
    "Open it there. Nothing was sent from here.",
  );
}

/** Turns a ticket into a case: once, in time, and only while the portal's session lasts. */
export function start(world: InsurerWorld, exchange: Exchange): Answer {
  if (standsAlone(exchange)) return alone(world);
  const { state } = world;
  const ticket = exchange.url.searchParams.get("ticket") ?? "";
  const made = state.tickets.get(ticket, world.now());
  state.tickets.delete(ticket);
  if (made === undefined || state.sessions.get(made.sid, world.now())?.stage !== "signed_in") {
    state.counters.ticketsRefused += 1;
    return frameNotice(world, 403, "This form has been used", "For your safety it opens once. Open it again.");
  }
  state.counters.ticketsUsed += 1;
  const begun = state.drafts.find(({ number, sid }) => number === made.draft && sid === made.sid);
  if (begun !== undefined) return redirect(303, `/c/${begun.caseId}/check`);
  state.lastDraftNumber += 1;
  const draft: Draft = {
    caseId: randomToken(world.random),
    number: `D-${state.lastDraftNumber}`,
    sid: made.sid,
    lapsesAtMs: world.now() + DRAFT_MS,
    said: made.policy === undefined ? {} : { policy: made.policy },
  };
  state.drafts = [...state.drafts, draft].slice(-DRAFTS_MAX);
  return redirect(303, `/c/${draft.caseId}/what`);
}

/** The case of an address, or what is said in its place: nobody is signed in any more, or it has lapsed. */
export function caseOf(world: InsurerWorld, exchange: Exchange): Draft | Answer {
  const draft = world.state.drafts.find(({ caseId }) => caseId === exchange.params["case"]);
  if (draft === undefined) return frameNotice(world, 404, "There is no such claim", "Nothing was sent.");
  if (world.state.sessions.get(draft.sid, world.now())?.stage !== "signed_in")
    return frameNotice(world, 401, "You are signed out", "Sign in at Fairhaven again. Nothing was sent.");
  if (draft.sent === undefined && draft.lapsesAtMs <= world.now())
    return frameNotice(world, 410, "This claim has lapsed", "It was not sent in time. Nothing was sent.");
  return draft;
}

export function sayMore(world: InsurerWorld, draft: Draft, more: Partial<Wish>): Draft {
  return change(world, draft, { said: { ...draft.said, ...more } });
}

export function markSent(world: InsurerWorld, draft: Draft, number: string): Draft {
  return change(world, draft, { sent: number });
}

function change(world: InsurerWorld, draft: Draft, by: Partial<Draft>): Draft {
  const changed = { ...draft, ...by };
  world.state.drafts = world.state.drafts.map((each) => (each.caseId === draft.caseId ? changed : each));
  return changed;
}

/** Whether a commit comes from the frame, as far as the browser says. */
export function comesFromFrame(exchange: Exchange): boolean {
  const site = exchange.headers["sec-fetch-site"];
  return !standsAlone(exchange) && (site === undefined || site === "same-origin");
}
