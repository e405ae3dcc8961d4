import type { CommitAdapter, FormField, RouteKind, Verification, VerificationAnswer } from "@countersign/plugin";
import { type ActionRecord, actionRecord, type TaskState } from "@countersign/profile";
import { err, type JsonObject, ok, type Result, type Secret } from "@countersign/wire";
import type { ContinuationRow } from "../connection/continuations.ts";
import {
  beginSending,
  demandState,
  endSending,
  findVerification,
  markUnclear,
  openVerification,
  type VerificationRow,
  waitOn,
} from "../connection/verifications.ts";
import type { Core } from "../core.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import { VERIFICATION_SEND_MS } from "../limits.ts";
import { readTask } from "../tasks/tasks.ts";
import { within } from "../time/within.ts";
import { landedOf } from "./landed.ts";
import { type Submitted, settleConfirmed, settleRefused } from "./outcome.ts";
import { readSubmitted } from "./reconcile.ts";
import { adapterFor, type Claimed, commitAdapter, loadWork, type Opened, openSession, type Work } from "./work.ts";

/** How far a verification has come: it goes on asking, or the task has its outcome (or its outcome is being read back). */
export type VerificationStep =
  | { readonly kind: "waiting"; readonly message?: string; readonly fields?: readonly FormField[] }
  | { readonly kind: "settled"; readonly state: TaskState };

/**
 * The site has received the submission and waits for the person (MFA-6). Opens the hand-off; `kept` when the session
 * has to stay open, because it is its page that waits. `lost`: nothing can be handed to anybody, so it is unknown.
 */
export async function awaitPerson(
  work: Work,
  adapter: CommitAdapter<JsonObject>,
  route: RouteKind,
  state: JsonObject,
  opened: Opened,
): Promise<"kept" | "handed_over" | "lost"> {
  const { core, task } = work;
  const { verification } = adapter;
  if (verification === undefined) return "lost";
  const demand = { mode: verification.mode, state, route };
  const view = verification.mode === "page" ? await opened.open.view?.() : undefined;
  if (verification.mode === "page" && view === undefined) return "lost";
  const continuation = await core.store.transaction((tx) => openVerification(core, tx, task, demand));
  if (continuation === undefined) return "handed_over";
  core.log.info("verification.opened", { task: task.task_id, mode: demand.mode });
  if (view === undefined) return "handed_over";
  const { continuation_ref: ref } = continuation;
  core.pages.keep(ref, { ctx: opened.ctx, open: opened.open, view }, () => sayAlive(core, ref));
  return "kept";
}

/** Whoever keeps a page says so in time; a page whose keeper has died is found by its task's due time. */
export async function sayAlive(core: Core, ref: string): Promise<void> {
  const work = () =>
    core.store.transaction(async (tx) => {
      const row = await openRow(tx, ref);
      if (row !== undefined) await waitOn(core, tx, row);
      return row !== undefined;
    });
  // Another gateway has settled it: in a page that stayed open the person could still bring the order about.
  if (!(await core.store.as("system", work))) await core.pages.close(ref);
}

function openRow(db: Core["store"]["db"], ref: string): Promise<VerificationRow | undefined> {
  return db
    .selectFrom("verification")
    .selectAll()
    .where("continuation_ref", "=", ref)
    .where("closed_at", "is", null)
    .executeTakeFirst();
}

/**
 * A submitted task has become due. True: it still waits for the person, and is due again later. False: the time has
 * run out, its page is gone with the process that kept it, or what the person typed was on its way when a process
 * died: it may have happened, and is read back.
 */
export async function stillWaits(work: Claimed): Promise<boolean> {
  const { core, task } = work;
  const row = await findVerification(core.store.db, task.task_id);
  if (row === undefined) return false;
  const { continuation_ref: ref, sending_at: sendingAt } = row;
  const { expires_at: expiresAt } = await core.store.db
    .selectFrom("continuation")
    .select("expires_at")
    .where("continuation_ref", "=", ref)
    .executeTakeFirstOrThrow();
  const now = core.now();
  const unclear = sendingAt !== null && now - sendingAt >= VERIFICATION_SEND_MS;
  const here = row.mode === "form" || core.pages.get(ref) !== undefined;
  if (now < expiresAt && !unclear && here) {
    await core.store.transaction((tx) => waitOn(core, tx, row));
    return true;
  }
  core.log.info("verification.lapsed", { task: task.task_id, unclear });
  await core.pages.close(ref);
  return false;
}

interface Pending {
  readonly work: Work;
  readonly row: VerificationRow;
  readonly record: ActionRecord;
  readonly submitted: Submitted;
  readonly state: JsonObject;
  readonly route: RouteKind;
  readonly verification: Verification;
}

async function pendingOf(core: Core, continuation: ContinuationRow, signal: AbortSignal): Promise<Pending | undefined> {
  const { db } = core.store;
  const row = await openRow(db, continuation.continuation_ref);
  if (row === undefined) return undefined;
  const work = await loadWork(core, await readTask(db, row.task_id), signal);
  const route = continuation.route as RouteKind;
  const verification = work && commitAdapter(adapterFor(work, route))?.verification;
  if (work === undefined || verification === undefined) return undefined;
  const stored = await db
    .selectFrom("submission")
    .innerJoin("action", "action.action_id", "submission.action_id")
    .select(["submission.submitted_at", "submission.observed", "action.record"])
    .where("submission.task_id", "=", row.task_id)
    .executeTakeFirstOrThrow();
  return {
    work,
    row,
    record: actionRecord.parse(storedRecord(stored.record)),
    submitted: readSubmitted(work, stored),
    state: demandState(core, row),
    route,
    verification,
  };
}

/** What the person is asked, when it is asked by a form. */
export async function verificationFields(
  core: Core,
  continuation: ContinuationRow,
): Promise<readonly FormField[] | undefined> {
  const pending = await pendingOf(core, continuation, new AbortController().signal);
  return pending?.verification.mode === "form" ? pending.verification.fields(pending.state) : undefined;
}

/** Sends what the person typed to the site, once, and records what the site said of it. */
export async function sendVerification(
  core: Core,
  continuation: ContinuationRow,
  values: ReadonlyMap<string, Secret<string>>,
  signal: AbortSignal,
): Promise<Result<VerificationStep, "gone" | "busy" | "site_unavailable">> {
  const pending = await pendingOf(core, continuation, signal);
  if (pending?.verification.mode !== "form") return err("gone");
  const { work, row, record, state, verification } = pending;
  const opened = await openSession(work, pending.route);
  if (!opened.ok) return err("site_unavailable");
  const { ctx, open, session } = opened.value;
  try {
    // From here on what was typed may have arrived: only an answer of the site's opens the form again.
    if (!(await core.store.transaction((tx) => beginSending(core, tx, row)))) return err("busy");
    await core.reach("verification.before_send");
    const sending = verification.submit(ctx, session, record, state, values);
    const answer = await answerOf(work, within(VERIFICATION_SEND_MS, sending));
    await core.reach("verification.after_send");
    const secrets = await open.secrets().catch(() => []);
    return ok(await take(pending, answer, [...secrets, ...values.values()]));
  } finally {
    await open.close().catch(() => core.log.warn("session.close_failed", { task: work.task.task_id }));
  }
}

/** The person says that the page has what it asked for: the adapter looks what came of it, at the site. */
export async function lookAtVerification(
  core: Core,
  continuation: ContinuationRow,
  signal: AbortSignal,
): Promise<Result<VerificationStep, "gone">> {
  const { continuation_ref: ref } = continuation;
  const pending = await pendingOf(core, continuation, signal);
  const page = core.pages.get(ref);
  if (pending?.verification.mode !== "page" || page === undefined) return err("gone");
  const { work, record, state, verification } = pending;
  const looking = verification.look(page.ctx, page.open.session, record, state);
  const answer = await answerOf(work, within(VERIFICATION_SEND_MS, looking));
  const step = await take(pending, answer, await page.open.secrets().catch(() => []));
  if (step.kind === "settled") await core.pages.close(ref);
  return ok(step);
}

async function answerOf(
  work: Work,
  asking: Promise<VerificationAnswer<unknown>>,
): Promise<VerificationAnswer<unknown>> {
  try {
    return await asking;
  } catch {
    // No whole answer, or an adapter that broke on it: nothing is recognised.
    work.core.log.warn("verification.no_answer", { task: work.task.task_id });
    return { kind: "unknown" };
  }
}

async function take(
  pending: Pending,
  answer: VerificationAnswer<unknown>,
  secrets: readonly Secret<string>[],
): Promise<VerificationStep> {
  const { work, row, record, submitted } = pending;
  const { core } = work;
  switch (answer.kind) {
    case "waiting":
      await core.store.transaction((tx) => endSending(core, tx, row));
      return answer;
    case "confirmed":
      await settleConfirmed(work, submitted, record, landedOf(work, answer, "answer", secrets));
      break;
    case "refused":
      await settleRefused(work, submitted, "site_refused");
      break;
    case "unknown":
      // The worker calls it unknown and reads back: one way for everything that is unclear (STA-4).
      await core.store.transaction((tx) => markUnclear(core, tx, row));
  }
  core.poke();
  const { state } = await readTask(core.store.db, work.task.task_id);
  return { kind: "settled", state: state === "executing" ? "outcome_unknown" : state };
}
