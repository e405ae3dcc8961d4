import { type FaultName, namesAnother, type OperationCheck } from "../contract.ts";
import type { PromiseName } from "../promises.ts";
import type { Weather } from "../stage/egress.ts";
import type { Frozen, Play } from "../stage/play.ts";
import { sameJson } from "../stage/same.ts";
import type { Outcome, Stage } from "../stage/stage.ts";
import type { Baseline } from "./undisturbed.ts";

// Every step with a fault on: the session has ended, a sign-in page stands there, half a page comes, or nothing does.

export interface Disturbance {
  readonly fault: FaultName;
  readonly during: string;
  readonly weather?: Weather["kind"] & ("wall_page" | "wall_redirect" | "half_page" | "slow_page");
  readonly promise: PromiseName;
  readonly giveUp?: true;
}

export const DISTURBANCES: readonly Disturbance[] = [
  { fault: "ended_session", during: "the session has ended", promise: "sign_in" },
  { fault: "sign_in_wall", during: "a sign-in page is there", weather: "wall_page", promise: "sign_in" },
  { fault: "sign_in_wall", during: "a redirect to sign in", weather: "wall_redirect", promise: "sign_in" },
  { fault: "half_page", during: "half a page comes", weather: "half_page", promise: "whole_page" },
  {
    fault: "slow_page",
    during: "nothing comes, and it is given up",
    weather: "slow_page",
    promise: "whole_page",
    giveUp: true,
  },
];

/** Turns it on; false when neither the site nor the way out can. */
export async function disturb(stage: Stage, operation: string, disturbance: Disturbance): Promise<boolean> {
  const { fault, weather } = disturbance;
  if (await stage.turnOn(fault, operation)) return true;
  if (weather !== undefined && stage.atWayOut) {
    stage.egress.weather = { kind: weather };
    stage.findings.faultOn(fault);
    return true;
  }
  stage.findings.skipped(operation === "" ? "identify" : operation, fault, "the check's site has no switch for it");
  return false;
}

export async function disturbedSteps(play: Play, wish: OperationCheck, base: Baseline): Promise<void> {
  for (const disturbance of DISTURBANCES) {
    const frozen = await begin(play, wish);
    if (frozen === undefined || !(await disturb(play.stage, play.id, disturbance))) continue;
    await beforeTheBoundary(play, wish, base, disturbance, frozen);
    await betweenHoldAndObserve(play, wish, disturbance);
    await readingBack(play, wish, base, disturbance);
  }
}

async function begin(play: Play, wish: OperationCheck): Promise<Frozen | undefined> {
  await play.stage.fresh();
  return play.frozen(wish.params, "preparing");
}

async function beforeTheBoundary(
  play: Play,
  wish: OperationCheck,
  base: Baseline,
  disturbance: Disturbance,
  frozen: Frozen,
): Promise<void> {
  const { during, giveUp } = disturbance;
  const broke = breaker(play.stage, play.id, disturbance);
  const prepared = await play.prepare(wish.params, `preparing while ${during}`, giveUp);
  if (prepared.kind === "gave") {
    const { value } = prepared;
    const sameTerms = value.kind === "ready" && sameJson(value.terms, base.frozen.record.terms);
    if (value.kind === "ready" && !(sameTerms && !isWall(disturbance)))
      broke("preparing", "it shows terms that it cannot have read");
    if (value.kind === "gap" && disturbance.fault !== "slow_page")
      broke("preparing", "it says that the site cannot do it, and nothing more is tried");
  }
  wantsThePerson(prepared, "preparing", disturbance, broke);

  const held = await play.hold(frozen, `holding while ${during}`, giveUp);
  const asked = play.stage.egress.left.length > 0;
  if (held.kind === "gave" && held.value.kind === "gap" && disturbance.fault !== "slow_page")
    broke("holding", "it says that the site cannot do it, and nothing more is tried");
  if (asked) {
    if (held.kind === "gave" && held.value.kind === "done" && disturbance.fault !== "slow_page")
      broke("holding", "it goes on as if the page had been there");
    wantsThePerson(held, "holding", disturbance, broke);
  }

  const observed = await play.observe(frozen, `observing while ${during}`, giveUp);
  if (observed.kind === "gave" && observed.value.kind === "done") {
    const isApproved = play.holds(frozen, observed.value.value);
    if (isWall(disturbance) || disturbance.fault === "slow_page" || !isApproved)
      broke("observing", "it shows terms that it cannot have read");
  }
  if (observed.kind === "gave" && observed.value.kind === "gap" && isWall(disturbance))
    broke("observing", "it says that the site cannot do it, and nothing more is tried");
  wantsThePerson(observed, "observing", disturbance, broke);
}

/** The fault comes at the worst moment: what is held is unsent, and is about to be looked at once more. */
async function betweenHoldAndObserve(play: Play, wish: OperationCheck, disturbance: Disturbance): Promise<void> {
  if (disturbance.giveUp === true) return;
  const frozen = await begin(play, wish);
  if (frozen === undefined) return;
  const broke = breaker(play.stage, play.id, disturbance);
  const seen = await play.heldThen(frozen, `after holding, ${disturbance.during}`, async () => {
    await disturb(play.stage, play.id, disturbance);
  });
  if (seen.kind !== "gave" || seen.value.observed?.kind !== "done") return;
  if (isWall(disturbance) || !play.holds(frozen, seen.value.observed.value))
    broke("observing what is held", "it shows terms that it cannot have read");
}

async function readingBack(play: Play, wish: OperationCheck, base: Baseline, disturbance: Disturbance): Promise<void> {
  const frozen = await begin(play, wish);
  if (frozen === undefined) return;
  const crossed = await play.cross(frozen, "an act whose answer is lost", "answer_lost");
  if (crossed === undefined || !(await disturb(play.stage, play.id, disturbance))) return;
  const broke = breaker(play.stage, play.id, disturbance);
  const name = `reading back while ${disturbance.during}`;
  const found = await play.readBack(crossed.submission, name, disturbance.giveUp);
  if (found.kind !== "gave") return void wantsThePerson(found, "reading back", disturbance, broke);
  if (found.value.kind === "absent")
    broke("reading back", "it says for certain that nothing happened, and the site did it");
  const [effect] = await play.stage.site.effects(play.id);
  if (found.value.kind === "found" && namesAnother(found.value.confirmation, effect ?? base.effect))
    broke("reading back", "it finds what it cannot have read");
  if (disturbance.fault === "ended_session" && found.value.kind !== "sign_in")
    broke("reading back", "it does not say that the site wants the person, so nobody is asked to sign in");
}

export function breaker(stage: Stage, operation: string, disturbance: Disturbance) {
  return (step: string, seen: string): void =>
    stage.findings.broke(disturbance.promise, operation, `${step} while ${disturbance.during}`, seen);
}

/** Somebody whose session is over is asked to sign in, and not merely tried again. */
export function wantsThePerson(
  outcome: Outcome<{ readonly kind: string }>,
  step: string,
  { fault }: Disturbance,
  broke: (step: string, seen: string) => void,
): void {
  if (fault !== "ended_session" || outcome.kind === "broke") return;
  if (outcome.kind === "trouble")
    return void broke(step, "it calls it trouble with the site, so nobody is asked to sign in");
  if (outcome.value.kind === "pending") broke(step, "it waits for the site, which waits for the person");
}

export function isWall({ fault }: Disturbance): boolean {
  return fault === "ended_session" || fault === "sign_in_wall";
}

/** `identify` never guesses: somebody who is not signed in is nobody. */
export async function identifying(stage: Stage): Promise<void> {
  for (const disturbance of DISTURBANCES) {
    await stage.fresh();
    if (!(await disturb(stage, "", disturbance))) continue;
    const { during, giveUp } = disturbance;
    const step = { operation: "", name: `identifying while ${during}`, ...(giveUp === undefined ? {} : { giveUp }) };
    const who = await stage.step(step, (session, ctx) => stage.entry.identify(ctx, session as never));
    if (who.kind === "gave" && who.value !== undefined)
      breaker(stage, "identify", disturbance)("identifying", "it names somebody whom it cannot have read");
  }
}
