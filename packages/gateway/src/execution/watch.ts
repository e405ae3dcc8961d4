import type { RouteKind } from "@countersign/plugin";
import { isTerminal, type Repeats } from "@countersign/profile";
import { assert, isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import { findConnection } from "../connection/accounts.ts";
import { openContinuation } from "../connection/continuations.ts";
import type { Allowed } from "../consent/check.ts";
import { WATCH_ASK_AGAIN_MS, WATCH_HOURS_MS } from "../limits.ts";
import { type Note, writeNotes } from "../tasks/progress.ts";
import { appendEvent, type Changes, readTask, type TaskRow } from "../tasks/tasks.ts";
import { openText, sealText } from "../vault/seal.ts";
import { endsUnlooked, lateLookAt, nextLookAt, type Pace } from "../watch/pace.ts";
import { beginIn } from "./begin.ts";
import { askSignIn, chooseRoute, grantNow, stop, type Work } from "./work.ts";

/**
 * A watch: a read that is looked at again until its result says so, or until its time has come (`repeats`). Between two
 * looks the task is `executing`, holds no worker, and is due at its next look; each look is a step like any other, under
 * a lease, with the grant read anew. What it saw last is kept, sealed, and is its result when its time has come.
 *
 * - the destination does not answer: it is looked at again at the same pace, and the task says so;
 * - the sign-in has ended: `authentication_required`; it goes on after any sign-in of the account, until its end;
 * - the grant was revoked, has run out, or no longer covers it: the task ends like any other;
 * - a restart, another gateway: nothing of it is anywhere but in its row.
 */
export interface Watch extends Pace {
  readonly repeats: Repeats;
}

export function watchOf({ operation, task }: Pick<Work, "operation" | "task">): Watch | undefined {
  if (operation.effect !== "read" || operation.repeats === undefined || task.watch_ends_at === null) return undefined;
  return { repeats: operation.repeats, everyMs: operation.repeats.everyMsMin, endsAt: task.watch_ends_at };
}

/** Whether a watch ends now with what it has seen: its time has come, and another look is too soon or no longer allowed. */
export function isOver(work: Work, watch: Watch): boolean {
  const { core, task } = work;
  const now = core.now();
  if (now < watch.endsAt || task.watch_looked_at === null) return false;
  return endsUnlooked(watch, task.watch_looked_at, now) || now >= task.request_expires_at;
}

/** What the last look saw. */
export function seenBefore({ core, task }: Pick<Work, "core" | "task">): JsonObject | undefined {
  if (task.watch_seen === null) return undefined;
  const read = parseJson(openText(core.sealer, sealedAs(task), task.watch_seen), { maxBytes: Number.MAX_SAFE_INTEGER });
  assert(read.ok && isJsonObject(read.value), "what was seen is kept as it was");
  return read.value;
}

/** Whether a look is to be reported; otherwise the watch goes on. */
export function hasCome(watch: Watch, result: JsonObject, now: number): boolean {
  return result[watch.repeats.metMember] === true || now >= watch.endsAt;
}

const LOOKED: Omit<Note, "at"> = { step: "looked", label: "Looked: not yet. It is looked at again by itself." };
const ANSWERS: Omit<Note, "at"> = { step: "looked", label: "The site answers again: not yet." };
const SILENT: Omit<Note, "at"> = {
  step: "unanswered",
  label: "The site did not answer. It is looked at again by itself.",
};
const UNSIGNED: Omit<Note, "at"> = {
  step: "sign_in_lapsed",
  label: "Nobody has signed in. The watch goes on when the account is connected again.",
};

/** It is not so yet: stored with the time of the next look. */
export async function keepWatching(work: Work, watch: Watch, result: JsonObject): Promise<void> {
  const { core, task: claimed } = work;
  const notes = work.progress.take();
  const seen = sealText(core.sealer, sealedAs(claimed), JSON.stringify(result));
  await core.store.transaction(async (tx) => {
    const row = await readTask(tx, claimed.task_id);
    if (row.fence !== claimed.fence || isTerminal(row.state)) return;
    const now = core.now();
    const at = nextLookAt(watch, { taskId: row.task_id, nth: row.watch_looks }, now);
    const looked = {
      watch_looks: row.watch_looks + 1,
      watch_looked_at: now,
      watch_look_at: at,
      watch_troubles: 0,
      watch_seen: seen,
    };
    // Whoever has called it back meanwhile wants it judged at once.
    const recalled = row.version !== claimed.version;
    const begun = recalled ? row : await beginIn(tx, { ...work, task: row }, "executing");
    // One note for the first look and one when an outage is over: a watch of weeks is no stream of news.
    const note = row.watch_looks === 0 ? LOOKED : row.watch_troubles > 0 ? ANSWERS : undefined;
    await writeNotes(tx, begun, [...notes, ...(note === undefined ? [] : [{ ...note, at: now }])]);
    const changes: Changes = recalled ? looked : { ...looked, due_at: at, tries: 0 };
    await tx.updateTable("task").set(changes).where("task_id", "=", row.task_id).execute();
  });
}

/** The site did not answer: again at the same pace, and said once until it does. */
export async function lookLater(work: Work, watch: Watch): Promise<void> {
  const { core, task: claimed } = work;
  await core.store.transaction(async (tx) => {
    const row = await readTask(tx, claimed.task_id);
    if (row.fence !== claimed.fence || isTerminal(row.state)) return;
    const now = core.now();
    const at = nextLookAt(watch, { taskId: row.task_id, nth: row.watch_looks + row.watch_troubles }, now);
    const looked = { watch_looked_at: now, watch_look_at: at, watch_troubles: row.watch_troubles + 1 };
    // A grant that has gone meanwhile may be why: then it is judged at once, and not at the next look.
    const allowed = await grantNow(tx, work);
    if (row.watch_troubles === 0 && allowed.ok) await writeNotes(tx, row, [{ ...SILENT, at: now }]);
    const changes: Changes = { ...looked, due_at: allowed.ok ? at : now };
    await tx.updateTable("task").set(changes).where("task_id", "=", row.task_id).execute();
  });
}

/** Due before its look: something was taken back. The grant stands, so what is left is whether the account does. */
export async function waitForLook(work: Work, allowed: Allowed, lookAt: number): Promise<void> {
  const route = await chooseRoute(work, allowed);
  if (route.ok && (await isDisconnected(work, route.value))) return askSignIn(work, route.value);
  await dueAt(work, { due_at: lookAt });
}

/** When a look that is far too late is made instead; undefined where it is made now. */
export function putOffUntil({ core, task }: Work, watch: Watch): number | undefined {
  if (task.watch_look_at === null || task.state !== "executing") return undefined;
  return lateLookAt(watch, { taskId: task.task_id, dueAt: task.watch_look_at }, core.now());
}

export async function lookAt(work: Work, at: number): Promise<void> {
  await dueAt(work, { due_at: at, watch_look_at: at });
}

/** Outside the hours of its grant nothing is looked at. */
export async function waitForHours(work: Work, watch: Watch): Promise<void> {
  await dueAt(work, { due_at: Math.min(work.core.now() + WATCH_HOURS_MS, watch.endsAt) });
}

/**
 * Nobody has signed in yet. The hand-off is as short as any other (MFA-3); the watch outlasts it, goes on after whatever
 * sign-in the account holder makes, and asks them for one again now and then.
 */
export async function waitForHolder(work: Work, watch: Watch, allowed: Allowed): Promise<void> {
  const { core, task, account } = work;
  const chosen = await chooseRoute(work, allowed);
  if (!chosen.ok) {
    const reason = chosen.reason;
    return void (await stop(
      work,
      reason === "capability_gap" ? { type: "failed", reason: "site_gap" } : { type: "denied", reason },
    ));
  }
  const route = chosen.value;
  if (await isDisconnected(work, route)) return askSignIn(work, route);
  const now = core.now();
  const { continuation_ref: ref, watch_look_at: askAt } = task;
  if (ref !== null) {
    const open = await core.store.db
      .selectFrom("continuation")
      .select("expires_at")
      .where("continuation_ref", "=", ref)
      .executeTakeFirst();
    if (open !== undefined && now < open.expires_at) return dueAt(work, { due_at: open.expires_at });
    const again = Math.min(now + WATCH_ASK_AGAIN_MS, watch.endsAt);
    await dueAt(work, { due_at: again, watch_look_at: again, continuation_ref: null }, UNSIGNED);
    return;
  }
  if (askAt !== null && now < askAt) return dueAt(work, { due_at: askAt });
  await core.store.transaction(async (tx) => {
    const row = await readTask(tx, task.task_id);
    if (row.version !== task.version || row.fence !== task.fence) return;
    const continuation = await openContinuation(core, tx, {
      tenantId: task.tenant_id,
      personId: task.person_id,
      accountRef: account.account_ref,
      route,
      kind: "task",
      taskId: task.task_id,
      latest: watch.endsAt,
    });
    await tx
      .updateTable("task")
      .set({
        continuation_ref: continuation.continuation_ref,
        due_at: continuation.expires_at,
        watch_look_at: null,
        version: row.version + 1,
      })
      .where("task_id", "=", task.task_id)
      .execute();
  });
}

/** Sets when the task is looked at next, unless somebody has moved it; with a note that says why. */
async function dueAt({ core, task }: Work, changes: Changes, note?: Omit<Note, "at">): Promise<void> {
  await core.store.transaction(async (tx) => {
    const row = await readTask(tx, task.task_id);
    if (row.version !== task.version || row.fence !== task.fence) return;
    if (note !== undefined) await appendEvent(tx, { ...note, at: core.now(), taskId: row.task_id, state: row.state });
    await tx.updateTable("task").set(changes).where("task_id", "=", row.task_id).execute();
  });
}

async function isDisconnected({ core, account }: Work, route: RouteKind): Promise<boolean> {
  const connection = await findConnection(core.store.db, account.account_ref, route);
  return connection?.state === "disconnected";
}

function sealedAs(task: Pick<TaskRow, "task_id">): string {
  return `watch:${task.task_id}`;
}
