import {
  type CommitAdapter,
  type Held,
  type HeldRequest,
  type Observed,
  type RouteKind,
  SiteTrouble,
  type Step,
} from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import type { JsonObject, Secret } from "@countersign/wire";
import type { Allowed } from "../consent/check.ts";
import { heldSignedBy } from "../egress/identity.ts";
import { answerEvidence } from "../evidence/answer-evidence.ts";
import { approvalIsLogged } from "../evidence/approval-logged.ts";
import { ANSWER_DELIVERY_MS } from "../limits.ts";
import { signingOf } from "../plugin-ctx.ts";
import { within } from "../time/within.ts";
import { approvedRecord, type Crossing, cross } from "./boundary.ts";
import type { CrossingProblem } from "./judge.ts";
import { landedOf } from "./landed.ts";
import { placedMeanwhile } from "./meanwhile.ts";
import { type Landed, settleConfirmed, settleLost, settleRefused } from "./outcome.ts";
import { askApproval, readState } from "./prepare.ts";
import { awaitPerson } from "./verify.ts";
import {
  adapterFor,
  askSignIn,
  commitAdapter,
  type Opened,
  openSession,
  saveSession,
  stop,
  type Work,
  waitForReadBack,
} from "./work.ts";

/**
 * Performs an approved commit: bring the committing request about and hold it, observe the terms again, cross the
 * boundary, send once, recognise. Whatever goes wrong before the crossing leaves nothing behind at the site; whatever
 * goes wrong after it is unknown until the site is read back.
 */
export async function runCommit(work: Work, allowed: Allowed): Promise<void> {
  const record = await approvedRecord(work);
  const route = record?.route.kind as RouteKind | undefined;
  const adapter = route === undefined ? undefined : commitAdapter(adapterFor(work, route));
  const state = readState(work);
  if (record === undefined || route === undefined || adapter === undefined || state === undefined) {
    return void (await stop(work, { type: "failed", reason: "site_gap" }));
  }
  if (!(await approvalIsLogged(work.core, work.task))) return;
  const opened = await openSession(work, route);
  if (!opened.ok) {
    if (opened.reason === "sign_in") return askSignIn(work, route);
    throw new SiteTrouble("the site is unavailable");
  }
  const { ctx, open, session } = opened.value;
  let held: Held | undefined;
  let kept = false;
  try {
    ctx.progress("hold", "Going to the last step");
    await work.core.reach("commit.before_hold");
    const holding = await adapter.hold(ctx, session, record, state);
    if (holding.kind !== "done") return await interrupted(work, route, holding);
    held = holding.value;
    await work.core.reach("commit.held");
    ctx.progress("observe", "Reading the terms again");
    const observing = await adapter.observe(ctx, session, record, state);
    if (observing.kind !== "done") return await interrupted(work, route, observing);
    const meanwhile = await placedMeanwhile(work, adapter, record, state, opened.value);
    if (meanwhile !== "no") {
      await abandon(held, "unsent");
      held = undefined;
      if (meanwhile === "sign_in") return await askSignIn(work, route);
      // Nobody decides this one, so nobody can be asked whether it is wanted twice.
      if (work.task.approval_ref === null) return void (await stop(work, { type: "failed", reason: "site_gap" }));
      return await askApproval(work, route, allowed, observing.value, state);
    }
    // Last of all that is done to the request, and before the crossing: a slow signer costs nothing that was promised.
    const request = await heldSignedBy(signingOf(work.core, ctx.signal), held.exchange.request);
    await work.core.reach("boundary.before");
    const crossed = await cross(work, { record, observed: observing.value, fingerprint: held.fingerprint });
    if (!crossed.ok) {
      // Nothing may stay held while the answer is dealt with: a forgotten hold could be released by a teardown.
      await abandon(held, crossed.reason.kind === "lost_lease" ? undefined : "unsent");
      held = undefined;
      return await notCrossed(work, route, allowed, crossed.reason, observing.value, state);
    }
    await work.core.reach("boundary.committed");
    const sending = held;
    held = undefined;
    const secrets = await open.secrets().catch(() => []);
    const sent = { ...work, task: crossed.value.task };
    const going = { held: sending, request };
    kept = (await submit(sent, adapter, record, going, crossed.value, secrets, opened.value)) === "kept";
    await saveSession(work, route, open);
  } finally {
    if (held !== undefined) await abandon(held, "unsent");
    if (!kept) await open.close().catch(() => work.core.log.warn("session.close_failed", { task: work.task.task_id }));
  }
}

async function submit(
  work: Work,
  adapter: CommitAdapter<JsonObject>,
  record: ActionRecord,
  { held, request }: { readonly held: Held; readonly request: HeldRequest },
  crossing: Crossing,
  secrets: readonly Secret<string>[],
  opened: Opened,
): Promise<"kept" | "done"> {
  const { core, task } = work;
  await core.reach("send.before");
  const sent = await core.egress.sendOnce(request, () => core.now() < crossing.sendBefore);
  await core.reach("send.after");
  if (!sent.ok) {
    await abandon(held, sent.reason === "not_sent" ? "unsent" : undefined);
    if (sent.reason === "not_sent") await settleRefused(work, crossing, "not_sent");
    else await settleLost(work, crossing);
    return "done";
  }
  // The page gets its answer whatever it is worth to us; a page that cannot take it changes nothing.
  await within(ANSWER_DELIVERY_MS, held.exchange.answer(sent.value)).catch(() =>
    core.log.warn("boundary.answer_not_delivered", { task: task.task_id }),
  );
  const landed = readAnswer(work, adapter, record, sent.value, secrets);
  const answered = { ...crossing, evidence: [await answerEvidence(sent.value)] };
  if (landed === "refused") await settleRefused(work, answered, "site_refused");
  else if (landed === "unknown") await settleLost(work, answered);
  else if ("demand" in landed) return handOver(work, adapter, record, crossing, landed.demand, opened);
  else await settleConfirmed(work, answered, record, landed);
  return "done";
}

/** The site has it and asks for the person (MFA-6): the worker is done, nothing is held but, in a browser, the page. */
async function handOver(
  work: Work,
  adapter: CommitAdapter<JsonObject>,
  record: ActionRecord,
  crossing: Crossing,
  demand: JsonObject,
  opened: Opened,
): Promise<"kept" | "done"> {
  const handed = await awaitPerson(work, adapter, record.route.kind as RouteKind, demand, opened).catch(
    () => "lost" as const,
  );
  if (handed === "lost") await settleLost(work, crossing);
  return handed === "kept" ? "kept" : "done";
}

/** What the site's answer means; only what is positively recognised is confirmed or refused (STA-4). */
function readAnswer(
  work: Work,
  adapter: CommitAdapter<JsonObject>,
  record: ActionRecord,
  answer: Parameters<CommitAdapter["recognise"]>[0],
  secrets: readonly Secret<string>[],
): Landed | { readonly demand: JsonObject } | "refused" | "unknown" {
  try {
    const recognised = adapter.recognise(answer, record);
    if (recognised.kind === "verify") return { demand: recognised.state };
    return recognised.kind === "confirmed" ? landedOf(work, recognised, "answer", secrets) : recognised.kind;
  } catch {
    // An adapter that breaks on an answer has not recognised it.
    work.core.log.error("adapter.recognise_failed", { task: work.task.task_id });
    return "unknown";
  }
}

async function notCrossed(
  work: Work,
  route: RouteKind,
  allowed: Allowed,
  problem: CrossingProblem,
  observed: Observed<unknown>,
  state: JsonObject,
): Promise<void> {
  switch (problem.kind) {
    case "terms_changed":
    case "policy_tightened":
      return askApproval(work, route, allowed, observed, state);
    case "sign_in":
      return askSignIn(work, route);
    case "read_back_first":
      return waitForReadBack(work);
    case "stopped":
      return void (await stop(work, { type: problem.event, reason: problem.reason }));
    case "lost_lease":
      work.core.log.warn("boundary.lost_lease", { task: work.task.task_id });
  }
}

async function interrupted(
  work: Work,
  route: RouteKind,
  step: Exclude<Step<unknown>, { kind: "done" }>,
): Promise<void> {
  if (step.kind === "sign_in") return askSignIn(work, route);
  work.core.log.info("task.gap", { task: work.task.task_id, why: step.why });
  await stop(work, { type: "failed", reason: "site_gap" });
}

/** @param fate `unsent` only where nothing has left for certain and no other worker has the task's turn. */
async function abandon(held: Held, fate?: "unsent"): Promise<void> {
  await held.exchange.abandon(fate).catch(() => {});
}
