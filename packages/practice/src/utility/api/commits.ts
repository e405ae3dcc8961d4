import { parseObject } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json, type Reply } from "../../http/reply.ts";
import { DRAFT_MS } from "../../limits.ts";
import { underKey } from "../../site/idempotency.ts";
import { randomToken } from "../../site/random.ts";
import { change, offerOf, pay } from "../account.ts";
import type { Offer, Wish } from "../model.ts";
import type { UtilityCommit } from "../switches.ts";
import type { UtilityWorld } from "../world.ts";
import { changeWire, offerWire, paymentWire, refuseUtility, type UtilityError } from "./wire.ts";

// Paying, another plan, automatic payment: each is a draft first, which holds the wish and not the price. What is asked
// of a draft is said at the price of that moment, and confirming it takes that.

function wishOf(body: Readonly<Record<string, unknown>> | undefined): Wish | undefined {
  const { kind, bill, method, on, contract, plan, autopay, reference = "" } = body ?? {};
  if (typeof reference !== "string") return undefined;
  if ((method !== undefined && typeof method !== "string") || (on !== undefined && typeof on !== "string"))
    return undefined;
  const by = method === undefined ? {} : { method };
  if (kind === "payment" && typeof bill === "string")
    return { kind, bill, reference, ...by, ...(on === undefined ? {} : { on }) };
  if (typeof contract !== "string") return undefined;
  if (kind === "plan" && typeof plan === "string") return { kind, contract, plan, reference };
  if (kind === "autopay" && (autopay === "on" || autopay === "off"))
    return { kind, contract, autopay, reference, ...by };
  return undefined;
}

function draftAnswer(status: number, draft: string, offer: Offer): Answer {
  return json(status, { draft, ...offerWire(offer) });
}

export function makeDraft(world: UtilityWorld, exchange: Exchange): Answer {
  const wish = wishOf(parseObject(exchange.body));
  if (wish === undefined) return refuseUtility("invalid_request");
  const offer = offerOf(world, wish);
  if (typeof offer === "string") return refuseUtility(offer);
  const draft = randomToken(world.random);
  world.state.drafts.put(draft, wish, world.now() + DRAFT_MS);
  return draftAnswer(201, draft, offer);
}

export function showDraft(world: UtilityWorld, exchange: Exchange): Answer {
  const id = exchange.params["draft"] ?? "";
  const wish = world.state.drafts.get(id, world.now());
  if (wish === undefined) return refuseUtility("draft_expired");
  if (wish.done !== undefined) return refuseUtility("draft_done");
  const offer = offerOf(world, wish);
  return typeof offer === "string" ? refuseUtility(offer) : draftAnswer(200, id, offer);
}

/** A commit endpoint: confirms a draft of its own kind. A draft that is done is not done again. */
function confirming(kind: UtilityCommit) {
  return (world: UtilityWorld, exchange: Exchange): Reply => {
    const id = parseObject(exchange.body)?.["draft"];
    if (typeof id !== "string") return refuseUtility("invalid_request");
    return underKey(world, exchange, refuseUtility, () => confirm(world, kind, id));
  };
}

function confirm(world: UtilityWorld, kind: UtilityCommit, id: string): Reply {
  const { state, switches } = world;
  const wish = state.drafts.get(id, world.now());
  if (wish === undefined || wish.kind !== kind) return refuseUtility("draft_expired");
  if (wish.done !== undefined) return refuseUtility("draft_done");
  if (switches.take("refuse", { commit: kind })) return refuseUtility("declined");
  const offer: Offer | UtilityError = offerOf(world, wish);
  if (typeof offer === "string") return refuseUtility(offer);
  const { number, answer } = taken(world, offer);
  state.drafts.put(id, { ...wish, done: number }, world.now() + DRAFT_MS);
  return { kind: "committed", commit: kind, answer, landing: () => answer };
}

function taken(world: UtilityWorld, offer: Offer): { readonly number: string; readonly answer: Answer } {
  const { counters } = world.state;
  if (offer.kind === "payment") {
    const payment = pay(world, offer, world.switches.take("chargeOver")?.deltaCents);
    counters.payments += 1;
    return { number: payment.number, answer: json(201, paymentWire(payment)) };
  }
  const made = change(world, offer);
  if (offer.kind === "plan") counters.planChanges += 1;
  else counters.autopayChanges += 1;
  return { number: made.number, answer: json(201, changeWire(made)) };
}

export const confirmPayment = confirming("payment");
export const confirmPlan = confirming("plan");
export const confirmAutopay = confirming("autopay");
