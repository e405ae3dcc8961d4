import { dayOf, isDay } from "../bank/days.ts";
import type { Claim, Offer, Policy, Wish } from "./model.ts";
import { DECLARATION, PAID_TO, policiesAt } from "./seed.ts";
import type { InsurerWorld } from "./world.ts";

export const DESCRIPTION_LENGTH_MAX = 2000;
export const OWN_REFERENCE_LENGTH_MAX = 40;
const TITLE_LENGTH = 60;

export type WishProblem =
  | "invalid_request"
  | "unknown_policy"
  | "day_not_covered"
  | "day_to_come"
  | "below_excess"
  | "above_limit";

export function policiesOf(world: InsurerWorld): readonly Policy[] {
  return policiesAt(dayOf(world.openedAtMs)).map((policy) => ({
    ...policy,
    excessMinor: Math.max(0, policy.excessMinor + world.switches.excessDeltaMinor()),
  }));
}

export function policyOf(world: InsurerWorld, id: string): Policy | undefined {
  return policiesOf(world).find((policy) => policy.id === id);
}

/** What the insurer says of a wish at this moment; its excess is the excess of this moment. */
export function offerOf(world: InsurerWorld, wish: Wish): Offer | WishProblem {
  const policy = policyOf(world, wish.policy);
  if (policy === undefined) return "unknown_policy";
  const { amountMinor, description, happenedOn, ownReference } = wish;
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1 || !isDay(happenedOn)) return "invalid_request";
  if (description.trim() === "" || description.length > DESCRIPTION_LENGTH_MAX) return "invalid_request";
  if (!/^[\w .-]{0,40}$/.test(ownReference)) return "invalid_request";
  if (happenedOn > dayOf(world.now())) return "day_to_come";
  if (happenedOn < policy.startsOn || happenedOn > policy.endsOn) return "day_not_covered";
  if (amountMinor > policy.claimMaxMinor) return "above_limit";
  const { excessMinor } = policy;
  if (amountMinor <= excessMinor) return "below_excess";
  return { ...wish, excessMinor, payoutMinor: amountMinor - excessMinor, paidTo: PAID_TO, declaration: DECLARATION };
}

/** Takes the claim at the excess of this moment, whatever the person saw before. */
export function submit(world: InsurerWorld, offer: Offer): Claim {
  const { state } = world;
  state.lastClaimNumber += 1 + ((world.random(1)[0] ?? 0) % 9);
  const claim: Claim = {
    policy: offer.policy,
    happenedOn: offer.happenedOn,
    amountMinor: offer.amountMinor,
    description: offer.description,
    ownReference: offer.ownReference,
    excessMinor: offer.excessMinor,
    number: `FM-${state.lastClaimNumber}`,
    title: titleOf(offer.description),
    submittedOn: dayOf(world.now()),
    submittedAtMs: world.now(),
    status: "received",
  };
  state.claims = [...state.claims, claim];
  return claim;
}

/** What a list calls a claim: how its story begins. */
function titleOf(description: string): string {
  const line = description.trim().split(/\s+/).join(" ");
  return line.length <= TITLE_LENGTH ? line : `${[...line].slice(0, TITLE_LENGTH - 1).join("")}…`;
}

/** Newest first. */
export function claimsOf(world: InsurerWorld): readonly Claim[] {
  return world.state.claims.toReversed();
}
