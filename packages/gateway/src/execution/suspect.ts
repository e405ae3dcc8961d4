import type { RouteKind, Submission } from "@countersign/plugin";
import { type ActionRecord, actionRecord, observedAct } from "@countersign/profile";
import { assert, type JsonObject, parseInstant } from "@countersign/wire";
import { askOutside, consumeDone, type Outside } from "../approval/outside.ts";
import { reserveUse } from "../consent/uses.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import { storedRecord } from "../evidence/stored-record.ts";
import { LEASE_MS } from "../limits.ts";
import type { MachineEvent } from "../machine/step.ts";
import { restoredAt } from "../restore/restored.ts";
import type { Tx } from "../store/store.ts";
import { moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";
import { clearSuspicion } from "./cleared.ts";
import { landedOf } from "./landed.ts";
import { settleConfirmed } from "./outcome.ts";
import { readState } from "./prepare.ts";
import { askOnce } from "./reconcile.ts";
import { tellReview } from "./review.ts";
import { absenceCounts, nextReading } from "./windows.ts";
import { adapterFor, advance, type Claimed, commitAdapter, openSession, saveSession, type Work } from "./work.ts";

/**
 * A task of a restored store (STA-8). The lost store may have gone further than the backup knows, so the site is asked
 * what became of the task before anything of it goes on:
 *
 * - shown there: the task is taken through the boundary it must have passed, and settles as read back;
 * - shown not to be there: it goes on from where the backup left it, everything judged anew;
 * - unclear: it waits, the reading goes on at growing intervals, and after a number of them the person is asked, once;
 * - without a frozen record there is nothing to look for, but the lost store may have frozen one and committed it: the
 *   person is asked at once.
 */
export async function runSuspect(work: Work): Promise<void> {
  const { core } = work;
  const record = await frozenRecord(work);
  if (record === undefined) return onlyTheHolderCanTell(work);
  const route = record.route.kind as RouteKind;
  const adapter = commitAdapter(adapterFor(work, route));
  const trace = adapter?.trace?.(record, readState(work) ?? {});
  if (adapter === undefined || trace === undefined) return lookAgain(work, "only the person can tell");
  const opened = await openSession(work, route);
  if (!opened.ok) {
    if (opened.reason === "sign_in") await askOnce(work, route);
    return lookAgain(work, opened.reason);
  }
  const { ctx, open, session } = opened.value;
  try {
    const begunAt = core.now();
    const submission = asSubmission(work.task, record, trace);
    const found = await adapter.readBack(ctx, session, submission);
    if (found.kind === "absent") {
      const settled = absenceCounts(begunAt, await restoredAt(core.store.db));
      return settled ? goOn(work) : lookAgain(work, "not there yet");
    }
    if (found.kind === "sign_in") {
      await askOnce(work, route);
      return lookAgain(work, "signed out");
    }
    if (found.kind === "unclear") return lookAgain(work, found.why);
    const landed = landedOf(work, found, "read_back", await open.secrets());
    await saveSession(work, route, open);
    const passed = await passBoundary(work, record, trace, await outsideOfDone(work, record));
    const submitted = { submittedAt: passed.submittedAt, observed: {} };
    await settleConfirmed({ ...work, task: passed.task }, submitted, record, landed);
  } finally {
    await open.close().catch(() => core.log.warn("session.close_failed", { task: work.task.task_id }));
  }
}

async function frozenRecord(work: Work): Promise<ActionRecord | undefined> {
  const row = await work.core.store.db
    .selectFrom("action")
    .select("record")
    .where("action_id", "=", work.task.action_id ?? "")
    .executeTakeFirst();
  return row === undefined ? undefined : actionRecord.parse(storedRecord(row.record));
}

function recordTime(record: ActionRecord): number {
  const created = parseInstant(record.created_at);
  assert(created.ok, "a record has its time");
  return created.value;
}

function asSubmission(task: TaskRow, record: ActionRecord, fingerprint: JsonObject): Submission {
  return { submissionId: `restored_${task.task_id}`, record, fingerprint, submittedAt: record.created_at };
}

/** What the authority that approved it has consumed with it, where that can still be heard. */
async function outsideOfDone(work: Work, record: ActionRecord): Promise<Outside> {
  const outside = await askOutside(work.core, work.task, record);
  if (outside.kind === "refused")
    work.core.log.warn("restore.evidence_not_consumed", { task: work.task.task_id, why: outside.reason });
  return outside;
}

interface Passed {
  readonly task: TaskRow;
  /** Not before this it can have been sent: its decision where this store knows one, else its record. */
  readonly submittedAt: number;
}

/**
 * What the lost store must have written when it submitted, in one transaction: the transitions, the submission that the
 * site shows, the approval spent and the grant used.
 */
async function passBoundary(work: Work, record: ActionRecord, trace: JsonObject, outside: Outside): Promise<Passed> {
  const { core } = work;
  return core.store.transaction(async (tx) => {
    let task = await readTask(tx, work.task.task_id);
    for (const event of wayToTheBoundary(task)) {
      const moved = await moveTask(tx, task, "commit", event, core.now(), { lease_until: core.now() + LEASE_MS });
      assert(moved.ok, "what the site shows has passed the boundary");
      task = moved.value;
    }
    const approval = await tx
      .selectFrom("approval")
      .select(["approval_ref", "decided_at"])
      .where("action_id", "=", record.action_id)
      .where("decision", "=", "approved")
      .executeTakeFirst();
    if (approval !== undefined) {
      const use = { approval_ref: approval.approval_ref, task_id: task.task_id, used_at: core.now() };
      await tx.insertInto("approval_use").values(use).execute();
    }
    await consumeDone(tx, task.task_id, outside, core.now());
    const submittedAt = approval?.decided_at ?? recordTime(record);
    await tx
      .insertInto("submission")
      .values({
        task_id: task.task_id,
        submission_id: core.newId("sub"),
        action_id: record.action_id,
        attempt: 1,
        fence: task.fence,
        fingerprint: sealText(core.sealer, `fingerprint:${task.task_id}`, JSON.stringify(trace)),
        observed: sealText(core.sealer, `observed:${task.task_id}`, "{}"),
        submitted_at: submittedAt,
      })
      .execute();
    assert(work.operation.effect === "commit", "only a commit leaves something to be found");
    await reserveUse(tx, task, observedAct(work.operation, record.terms), submittedAt);
    await endUndecided(tx, task.task_id);
    return { task, submittedAt };
  });
}

/** Nobody is asked any more about what has been done; a decision that this store knows stays as it is. */
async function endUndecided(tx: Tx, taskId: string): Promise<void> {
  await tx
    .updateTable("action")
    .set({ status: "superseded" })
    .where("task_id", "=", taskId)
    .where("status", "=", "pending")
    .execute();
}

function wayToTheBoundary(task: TaskRow): readonly MachineEvent[] {
  const crossed = { type: "crossed" } as const;
  switch (task.state) {
    case "received":
      return [{ type: "checks_begun" }, { type: "work_begun" }, crossed];
    case "validating":
      return [{ type: "work_begun" }, crossed];
    case "authentication_required":
      return [{ type: "signed_in" }, { type: "work_begun" }, crossed];
    case "approval_required":
      return [{ type: "approved" }, crossed];
    default:
      return [crossed];
  }
}

/** It is not there: the task goes on where the backup left it. */
async function goOn(work: Work): Promise<void> {
  const { core, task } = work;
  await core.store.transaction(async (tx) => {
    const now = await readTask(tx, task.task_id);
    if (now.suspect === 0 || now.version !== task.version || now.fence !== task.fence) return;
    await clearSuspicion(core, tx, now);
  });
}

/** No adapter can look for it: it is for the holder to say, and ends with its request when they do not. */
async function onlyTheHolderCanTell(work: Work): Promise<void> {
  const { core, task } = work;
  const now = core.now();
  if (now >= task.request_expires_at) return void (await close(work));
  core.log.info("restore.holder_asked", { task: task.task_id });
  await core.store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("task")
      .set({ review_at: task.review_at ?? now, due_at: task.request_expires_at })
      .where("task_id", "=", task.task_id)
      .where("suspect", "=", 1)
      .where("fence", "=", task.fence)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) await tellReview(core, tx, task);
  });
}

async function close(work: Work): Promise<boolean> {
  return advance(
    work,
    { type: "cancelled", reason: "closed_by_restore" },
    { due_at: null, review_at: null },
    (tx, task) => insertReceipt(work.core, tx, task),
  );
}

/** Schedules the next reading of a task of a restored store. */
export async function lookAgain(work: Claimed, why: string): Promise<void> {
  const { core, task } = work;
  const next = nextReading(task, core.now());
  core.log.info("restore.look_again", { task: task.task_id, tries: next.tries, why });
  await core.store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("task")
      .set(next)
      .where("task_id", "=", task.task_id)
      .where("suspect", "=", 1)
      .where("fence", "=", task.fence)
      .executeTakeFirst();
    if (numUpdatedRows === 1n && next.review_at !== null) await tellReview(core, tx, task);
  });
}
