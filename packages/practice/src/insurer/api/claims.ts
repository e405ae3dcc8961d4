import { parseObject } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json, type Reply } from "../../http/reply.ts";
import { underKey } from "../../site/idempotency.ts";
import { randomToken } from "../../site/random.ts";
import { claimsOf, offerOf, policiesOf, policyOf, submit } from "../book.ts";
import { QUOTE_MS } from "../limits.ts";
import type { Offer, Wish } from "../model.ts";
import { CURRENCY } from "../seed.ts";
import type { InsurerWorld } from "../world.ts";
import { claimWire, offerWire, policyWire, problemWithCaller, refuseInsurer } from "./wire.ts";

export function listPolicies(world: InsurerWorld): Answer {
  return json(200, { policies: policiesOf(world).map((policy) => policyWire(policy, world.user.name)) });
}

/** Newest first; `your_reference` narrows to those that the member marked so. */
export function listClaims(world: InsurerWorld, exchange: Exchange): Answer {
  const own = exchange.url.searchParams.get("your_reference");
  const policy = exchange.url.searchParams.get("policy");
  const claims = claimsOf(world).filter(
    (claim) => (own === null || claim.ownReference === own) && (policy === null || claim.policy === policy),
  );
  return json(200, { claims: claims.map(claimWire) });
}

/** A whole amount of the insurer's currency, `"840.00"`; undefined for anything else. */
function minorOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^(?:0|[1-9]\d{0,7})\.\d{2}$/.test(value)) return undefined;
  return Number(value.replace(".", ""));
}

function wishOf(body: Readonly<Record<string, unknown>> | undefined): Wish | undefined {
  const { policy, happened_on: happenedOn, claimed, currency, description, your_reference: own = "" } = body ?? {};
  const amountMinor = minorOf(claimed);
  if (typeof policy !== "string" || typeof happenedOn !== "string" || amountMinor === undefined) return undefined;
  if (typeof description !== "string" || typeof own !== "string" || currency !== CURRENCY) return undefined;
  return { policy, happenedOn, amountMinor, description, ownReference: own };
}

function offerAnswer(world: InsurerWorld, status: number, quoteId: string, expiresAtMs: number, offer: Offer): Answer {
  const policy = policyOf(world, offer.policy);
  if (policy === undefined) return refuseInsurer("unknown_policy");
  const wire = offerWire(offer, policy, world.user.name);
  return json(status, { quote: quoteId, expires_at: new Date(expiresAtMs).toISOString(), ...wire });
}

export function makeQuote(world: InsurerWorld, exchange: Exchange): Answer {
  const problem = problemWithCaller(world, exchange);
  if (problem !== undefined) return refuseInsurer(problem);
  const wish = wishOf(parseObject(exchange.body));
  if (wish === undefined) return refuseInsurer("invalid_request");
  const offer = offerOf(world, wish);
  if (typeof offer === "string") return refuseInsurer(offer);
  const quoteId = `cq_${randomToken(world.random)}`;
  const expiresAtMs = world.now() + QUOTE_MS;
  world.state.quotes.put(quoteId, { ...wish, expiresAtMs }, expiresAtMs);
  return offerAnswer(world, 201, quoteId, expiresAtMs, offer);
}

/** The quote at the excess of this moment: it holds the wish, not the excess. */
export function showQuote(world: InsurerWorld, exchange: Exchange): Answer {
  const quoteId = exchange.params["quote"] ?? "";
  const wish = world.state.quotes.get(quoteId, world.now());
  if (wish === undefined) return refuseInsurer("quote_expired");
  const offer = offerOf(world, wish);
  if (typeof offer === "string") return refuseInsurer(offer);
  return offerAnswer(world, 200, quoteId, wish.expiresAtMs, offer);
}

/** The commit. The insurer takes none without a key, and an equal repeat gets the first one's answer. */
export function submitClaim(world: InsurerWorld, exchange: Exchange): Reply {
  const problem = problemWithCaller(world, exchange);
  if (problem !== undefined) return refuseInsurer(problem);
  const quoteId = parseObject(exchange.body)?.["quote"];
  if (typeof quoteId !== "string") return refuseInsurer("invalid_request");
  if (exchange.headers["idempotency-key"] === undefined) return refuseInsurer("idempotency_key_missing");
  return underKey(world, exchange, refuseInsurer, () => {
    const wish = world.state.quotes.get(quoteId, world.now());
    if (wish === undefined) return refuseInsurer("quote_expired");
    if (world.switches.take("refuse", { commit: "claim" })) return refuseInsurer("claim_refused");
    const offer = offerOf(world, wish);
    if (typeof offer === "string") return refuseInsurer(offer);
    const claim = submit(world, offer);
    world.state.quotes.delete(quoteId);
    world.state.counters.claims += 1;
    const answer = json(201, { claim: claimWire(claim) }, { location: `/api/claims/${claim.number}` });
    return { kind: "committed", commit: "claim", answer, landing: () => answer };
  });
}

export function showClaim(world: InsurerWorld, exchange: Exchange): Answer {
  const claim = world.state.claims.find(({ number }) => number === exchange.params["number"]);
  return claim === undefined ? refuseInsurer("not_found") : json(200, { claim: claimWire(claim) });
}
