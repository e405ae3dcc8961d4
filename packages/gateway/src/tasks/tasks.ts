import { type Catalogue, isTerminal, type Reason, type TaskState } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { type Selectable, sql, type Updateable } from "kysely";
import { type MachineEvent, step } from "../machine/step.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";
import { announce } from "../task-events/announce.ts";
import { wakeHeld } from "./twin.ts";

export type TaskRow = Selectable<Schema["task"]>;
export type Changes = Omit<
  Updateable<Schema["task"]>,
  "state" | "version" | "submitted" | "reason" | "updated_at" | "task_id"
>;

export type MoveProblem = "moved_meanwhile" | "no_such_transition";

/** Reads one task of one person; another's is as absent as none (REQ-2). */
export async function findTask(
  db: Db,
  owner: { readonly tenantId: string; readonly personId: string },
  taskId: string,
): Promise<TaskRow | undefined> {
  return db
    .selectFrom("task")
    .selectAll()
    .where("task_id", "=", taskId)
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .executeTakeFirst();
}

export async function readTask(db: Db, taskId: string): Promise<TaskRow> {
  return db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow();
}

/** The effect of a task's operation; of one that this build does not know, what the task's own row says of it. */
export function effectOf(
  catalogue: Catalogue,
  task: Pick<TaskRow, "operation" | "wish_digest" | "action_id" | "submitted">,
): "read" | "commit" {
  const operation = catalogue.get(task.operation);
  if (operation !== undefined) return operation.effect;
  return task.wish_digest !== null || task.action_id !== null || task.submitted === 1 ? "commit" : "read";
}

/**
 * One transition, one transaction: compares state and version, writes the new ones and the numbered event.
 * `changes` are the other columns that move with it. Answers the task as it stands now.
 */
export async function moveTask(
  tx: Tx,
  task: TaskRow,
  effect: "read" | "commit",
  event: MachineEvent,
  now: number,
  changes: Changes = {},
): Promise<Result<TaskRow, MoveProblem>> {
  const next = step({ state: task.state, effect, submitted: task.submitted === 1 }, event);
  if (!next.ok) return next;
  const { to, submitted, reason } = next.value;
  const moved = await tx
    .updateTable("task")
    .set({
      ...changes,
      // Nothing more is handed over for a task that is at its end, and nothing more is looked at.
      ...(isTerminal(to) ? { continuation_ref: null, watch_look_at: null, watch_seen: null } : {}),
      state: to,
      submitted: submitted ? 1 : 0,
      reason: reason ?? null,
      version: task.version + 1,
      updated_at: now,
    })
    .where("task_id", "=", task.task_id)
    .where("version", "=", task.version)
    .where("state", "=", task.state)
    .returningAll()
    .executeTakeFirst();
  if (moved === undefined) return err("moved_meanwhile");
  await appendEvent(tx, { taskId: task.task_id, at: now, state: to, ...(reason === undefined ? {} : { reason }) });
  await announce(tx, task.task_id, now);
  if (isTerminal(to)) await wakeHeld(tx, task.task_id, now);
  return ok(moved);
}

export interface NewEvent {
  readonly taskId: string;
  readonly at: number;
  readonly state: TaskState;
  readonly reason?: Reason;
  readonly step?: string;
  readonly label?: string;
}

/** Appends the next numbered event of a task: transition, replayable event and outbox in one table. */
export async function appendEvent(tx: Db, event: NewEvent): Promise<void> {
  const { taskId, at, state, reason = null, step = null, label = null } = event;
  await sql`
    insert into task_event (task_id, seq, at, state, reason, step, label)
    select ${taskId}, coalesce(max(seq), 0) + 1, cast(${at} as bigint), ${state}, ${reason}, ${step}, ${label}
    from task_event where task_id = ${taskId}`.execute(tx);
}

export type TaskEventRow = Selectable<Schema["task_event"]>;

export async function eventsAfter(
  db: Db,
  taskId: string,
  after: number,
  limit: number,
): Promise<readonly TaskEventRow[]> {
  return db
    .selectFrom("task_event")
    .selectAll()
    .where("task_id", "=", taskId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
}
