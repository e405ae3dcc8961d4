import type { Wrong } from "./broken-world.ts";
import { observesTheApproved, resendsLost, roundsTotals, sendsTwice, takesErrorsForRefusals } from "./part-breaks.ts";
import type { Meddle } from "./proxy.ts";
import * as wire from "./wire-breaks.ts";

export interface Break {
  readonly what: string;
  readonly wrong: Wrong;
  /** What the case must say of it: caught for this reason, not for another. */
  readonly caught: RegExp;
}

const meddling = (what: string, meddle: Meddle, caught: RegExp): Break => ({
  what,
  wrong: { meddle: () => meddle },
  caught,
});
const remembering = (what: string, meddle: () => Meddle, caught: RegExp): Break => ({
  what,
  wrong: { meddle },
  caught,
});

/** For each case one way to be broken that it must catch. */
export const BREAKS: ReadonlyMap<string, Break> = new Map<string, Break>([
  ["PUB-1", meddling("takes a foreign reference", wire.takesForeignRefs, /answered not_found/)],
  ["PUB-2", meddling("ignores a revocation", wire.ignoresRevocation, /becomes denied/)],
  ["PUB-3", remembering("lets an agent's token decide", wire.letsAgentsDecide, /with the agent's token is refused/)],
  ["PUB-4", { what: "does not look at the terms again", wrong: { site: observesTheApproved }, caught: /asks again/ }],
  ["PUB-5", remembering("answers by the key alone", wire.answersByKeyAlone, /it is a conflict/)],
  [
    "PUB-6",
    { what: "sends again after a lost answer", wrong: { egress: resendsLost }, caught: /unknown|one submission/ },
  ],
  [
    "REQ-1",
    meddling("fills in a missing member", wire.invents("request_id", "req_x"), /without request_id is refused/),
  ],
  ["REQ-2", remembering("tells that a task exists", wire.tellsWhatExists, /not found for a stranger/)],
  ["REQ-3", meddling("drops unknown parameters", wire.dropsUnknownParameters, /unknown parameter is refused/)],
  ["REQ-4.replay", remembering("replays the first answer", wire.answersByKeyAlone, /present state/)],
  ["REQ-4.unknown", remembering("forgets the key of an unknown outcome", wire.forgetsUnknownClaims, /is a replay/)],
  ["REQ-4.scope", remembering("has one space of keys for all", wire.sharesKeys, /no conflict/)],
  [
    "REQ-4.invalid",
    remembering("spends the key of a refused request", wire.spendsKeysOnRefusals, /under the same key|not found/),
  ],
  ["REQ-5", meddling("prolongs a request", wire.prolongsRequests, /is expired/)],
  ["REQ-6", meddling("calls a gap unknown", wire.hidesGaps, /capability gap/)],
  ["REQ-7", meddling("publishes no binding", wire.hidesItsDocument, /openapi\.json is public/)],
  ["REQ-8", meddling("raises the maximum", wire.raisesCeilings, /is denied/)],
  ["REQ-9", meddling("drops the reason", wire.dropsReasons, /reports its reason/)],
  ["REQ-10", meddling("changes a row of the result", wire.changesResults, /as the shop has them/)],
  ["AUT-3", remembering("trusts any token", wire.trustsAnyToken, /is refused|submits nothing/)],
  ["CON-1", meddling("admits under a revoked grant", wire.admitsRevoked, /is denied/)],
  ["CON-2", meddling("widens a grant", wire.widensGrants, /is denied/)],
  ["CON-3.amount", meddling("drops the grant's limits", wire.dropsLimits, /denied and not asked/)],
  ["CON-3.period", meddling("drops the limits of periods", wire.dropsPeriods, /other is denied/)],
  ["CON-5", remembering("calls a submitted task denied", wire.callsRevokedDenied, /although the grant is revoked/)],
  ["APR-4", { what: "rounds a total", wrong: { site: roundsTotals }, caught: /asks again/ }],
  ["APR-6", meddling("takes a refusal for an approval", wire.approvesRefusals, /cannot be approved|becomes denied/)],
  ["MFA-1", meddling("sends the sign-in's address", wire.sendsSignInAddress, /no member beyond/)],
  ["MFA-3", remembering("takes any session for a hand-off", wire.takesAnySession, /another person cannot begin/)],
  ["STA-1", meddling("loses an event", wire.losesAnEvent, /without a gap/)],
  ["STA-2", { what: "sends everything twice", wrong: { egress: sendsTwice }, caught: /received one submission/ }],
  ["STA-3", meddling("gives up and says failed", wire.givesUp, /outcome_unknown|stays unknown/)],
  [
    "STA-4",
    { what: "takes an error status for a refusal", wrong: { site: takesErrorsForRefusals }, caught: /no failure/ },
  ],
  ["STA-5", meddling("says cancelled of everything", wire.alwaysCancels, /outcome is unknown/)],
  ["STA-7", remembering("takes no wish for equal", wire.seesNoTwins, /it is held/)],
  ["REC-1", remembering("mixes receipts up", wire.mixesReceiptsUp, /receipt is of this task/)],
  ["REC-2", remembering("shows agents what the person typed", wire.leaksPasswords, /password at the shop/)],
  ["REC-4", meddling("signs nothing", wire.signsNothing, /bundle verifies/)],
]);
