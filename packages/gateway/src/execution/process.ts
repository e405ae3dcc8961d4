import { isTerminal } from "@countersign/profile";
import { type Allowed, checkHours } from "../consent/check.ts";
import { livingProposal } from "../consent/narrow.ts";
import type { Core } from "../core.ts";
import { ADAPTER_STEP_MS, RETRY_CAP_MS, RETRY_FIRST_MS, STEP_END_MS, TRIES_BEFORE_BOUNDARY_MAX } from "../limits.ts";
import { mustReadBackFirst } from "../restore/restored.ts";
import { readTask, type TaskRow } from "../tasks/tasks.ts";
import { staysHeld } from "../tasks/twin.ts";
import { TimeLimit, within } from "../time/within.ts";
import { afterCrash } from "./after-crash.ts";
import { begin } from "./begin.ts";
import { runCommit } from "./commit.ts";
import { runGone } from "./gone.ts";
import { runPrepare } from "./prepare.ts";
import { finish, runRead } from "./read.ts";
import { again, runReconcile } from "./reconcile.ts";
import { lookAgain, runSuspect } from "./suspect.ts";
import { tellable } from "./trouble.ts";
import {
  isOver,
  lookAt,
  lookLater,
  putOffUntil,
  seenBefore,
  waitForHolder,
  waitForHours,
  waitForLook,
  watchOf,
} from "./watch.ts";
import { chooseRoute, grantNow, loadWork, stop, type Work, waitForReadBack } from "./work.ts";

/**
 * One claimed task, one step of its life. Everything is read afresh: nothing waits in memory. It answers when nothing of
 * the step runs any more, so that whoever then gives the lease back leaves nobody behind in the account's cart.
 *
 * @param outlasted called when a step that was given up does not end either: the rest of the wait is for its end only.
 */
export async function processTask(
  core: Core,
  claimed: TaskRow,
  signal: AbortSignal,
  outlasted: () => void = () => {},
): Promise<void> {
  await core.reach("task.claimed");
  if (isTerminal(claimed.state)) return;
  // One for each step, so that giving up one stops no other.
  const step = new AbortController();
  const abort = (): void => step.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const work = await loadWork(core, claimed, step.signal);
    await (work === undefined ? runGone(core, claimed) : takeStep(work, step, outlasted));
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function takeStep(work: Work, step: AbortController, outlasted: () => void): Promise<void> {
  const running = dispatch(work);
  try {
    await endOf(running, step);
  } catch (error) {
    if (error instanceof TimeLimit) outlasted();
    await afterFailure(work, error);
  } finally {
    await running.catch(() => {});
  }
}

/** A step that takes too long is aborted, and may still end in its own way. */
async function endOf(running: Promise<void>, step: AbortController): Promise<void> {
  try {
    await within(ADAPTER_STEP_MS, running);
  } catch (error) {
    if (!(error instanceof TimeLimit)) throw error;
    step.abort();
    await within(STEP_END_MS, running);
  }
}

async function afterFailure(work: Work, error: unknown): Promise<void> {
  const { core, task: claimed } = work;
  core.log.warn("task.step_failed", { task: claimed.task_id, state: claimed.state, ...tellable(error) });
  const now = await reload(work);
  // Somebody else has the task by now: what became of it is theirs to say, and may be a submission under way.
  if (now.task.fence === claimed.fence) await afterTrouble(now);
  else core.log.warn("task.lease_lost", { task: claimed.task_id });
}

async function reload(work: Work): Promise<Work> {
  return { ...work, task: await readTask(work.core.store.db, work.task.task_id) };
}

async function dispatch(work: Work): Promise<void> {
  const { core, task } = work;
  if (task.state === "outcome_unknown") return runReconcile(work);
  if (task.suspect === 1 && task.submitted === 0) return runSuspect(work);
  if (task.submitted === 1) return afterCrash(work);
  const watch = watchOf(work);
  const isEnding = watch !== undefined && task.state !== "authentication_required" && isOver(work, watch);
  if (!isEnding && core.now() >= task.request_expires_at)
    return void (await stop(work, { type: "expired", reason: "request_expired" }));
  const allowed = await grantNow(core.store.db, work);
  if (!allowed.ok) return void (await stop(work, { type: "denied", reason: allowed.reason }));
  switch (task.state) {
    case "received":
    case "validating":
    case "executing": {
      if (isEnding) return endWatch(work);
      const isWatching = watch !== undefined && core.now() < watch.endsAt;
      if (isWatching && task.watch_look_at !== null && core.now() < task.watch_look_at)
        return waitForLook(work, allowed.value, task.watch_look_at);
      const inHours = checkHours(allowed.value.limits, core.now());
      if (!inHours.ok && isWatching && task.watch_looked_at !== null) return waitForHours(work, watch);
      const later = isWatching && inHours.ok ? putOffUntil(work, watch) : undefined;
      if (later !== undefined) return lookAt(work, later);
      if (!inHours.ok) return void (await stop(work, { type: "denied", reason: inHours.reason }));
      if (task.held_by !== null && (await core.store.transaction((tx) => staysHeld(tx, task)))) return;
      const route = await chooseRoute(work, allowed.value);
      if (!route.ok)
        return void (await stop(
          await begin(work),
          route.reason === "capability_gap"
            ? { type: "failed", reason: "site_gap" }
            : { type: "denied", reason: route.reason },
        ));
      if (work.operation.effect === "read") return runRead(work, route.value);
      const next = await begin(work);
      if (next.task.state !== "executing") return runPrepare(next, route.value, allowed.value);
      if (await mustReadBackFirst(core.store.db, next.task.account_ref)) return waitForReadBack(next);
      return runCommit(next, allowed.value);
    }
    case "authentication_required":
      if (watch !== undefined && core.now() < watch.endsAt) return waitForHolder(work, watch, allowed.value);
      return void (await stop(work, { type: "expired", reason: "sign_in_expired" }));
    case "approval_required":
      return undecided(work, allowed.value);
    default:
      throw new Error("a due task is in a state that waits for time");
  }
}

/** The time of a watch has come: its result is what was seen last, and not an error. */
async function endWatch(work: Work): Promise<void> {
  const seen = seenBefore(work);
  if (seen !== undefined) return finish(work, seen);
  return void (await stop(work, { type: "failed", reason: "site_unavailable" }));
}

/** Nobody has decided: its time is up, or the grant was narrowed and the proposal no longer fits (CON-4). */
async function undecided(work: Work, allowed: Allowed): Promise<void> {
  const { core, task } = work;
  const proposal = await livingProposal(core, core.store.db, task, allowed, core.now());
  if (proposal === undefined || core.now() >= proposal.expiresAt)
    return void (await stop(work, { type: "expired", reason: "approval_expired" }));
  if (!proposal.fits.ok) return void (await stop(work, { type: "denied", reason: proposal.fits.reason }));
  await core.store.db
    .updateTable("task")
    .set({ due_at: proposal.expiresAt })
    .where("task_id", "=", task.task_id)
    .where("version", "=", task.version)
    .execute();
}

/** Before the boundary trouble is tried again a few times and then told; after it, it is unknown and read back. */
async function afterTrouble(work: Work): Promise<void> {
  const { core, task } = work;
  if (isTerminal(task.state)) return;
  if (task.state === "outcome_unknown") return again(work, "trouble while reading back");
  if (task.submitted === 1) return afterCrash(work);
  if (task.suspect === 1) return lookAgain(work, "trouble while reading back");
  const watch = watchOf(work);
  if (watch !== undefined) return core.now() < watch.endsAt ? lookLater(work, watch) : endWatch(work);
  if (task.tries + 1 >= TRIES_BEFORE_BOUNDARY_MAX)
    return void (await stop(work, { type: "failed", reason: "site_unavailable" }));
  const delay = Math.min(RETRY_FIRST_MS * 2 ** task.tries, RETRY_CAP_MS);
  await core.store.db
    .updateTable("task")
    .set({ tries: task.tries + 1, due_at: core.now() + delay })
    .where("task_id", "=", task.task_id)
    .where("version", "=", task.version)
    .execute();
}
