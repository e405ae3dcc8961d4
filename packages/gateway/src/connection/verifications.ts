import type { JsonObject } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Core } from "../core.ts";
import { LEASE_MS, VERIFICATION_LIFE_MS, VERIFICATION_SEND_MS } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";
import { announce } from "../task-events/announce.ts";
import { appendEvent, readTask, type TaskRow } from "../tasks/tasks.ts";
import { openText, sealText } from "../vault/seal.ts";
import { openContinuation } from "./continuations.ts";

export type VerificationRow = Selectable<Schema["verification"]>;

/** A site's demand after the submission, as the adapter recognised it (MFA-6). */
export interface Demand {
  readonly mode: VerificationRow["mode"];
  readonly state: JsonObject;
  readonly route: string;
}

/**
 * Opens the hand-off for a submission that waits for the person. The task stays `executing` and waits for time: when it
 * becomes due it is looked at, and what has lapsed is unknown. Undefined when the task has moved on meanwhile.
 */
export async function openVerification(core: Core, tx: Tx, claimed: TaskRow, demand: Demand) {
  const task = await readTask(tx, claimed.task_id);
  if (task.version !== claimed.version || task.fence !== claimed.fence) return undefined;
  const continuation = await openContinuation(core, tx, {
    tenantId: task.tenant_id,
    personId: task.person_id,
    accountRef: task.account_ref,
    route: demand.route,
    kind: "verification",
    taskId: task.task_id,
    lifeMs: VERIFICATION_LIFE_MS,
  });
  const ref = continuation.continuation_ref;
  await tx
    .insertInto("verification")
    .values({
      continuation_ref: ref,
      task_id: task.task_id,
      mode: demand.mode,
      sealed: sealText(core.sealer, `verification:${ref}`, JSON.stringify(demand.state)),
      created_at: core.now(),
      sending_at: null,
      closed_at: null,
    })
    .execute();
  const due =
    demand.mode === "form" ? continuation.expires_at : Math.min(core.now() + LEASE_MS, continuation.expires_at);
  await tx
    .updateTable("task")
    .set({ continuation_ref: ref, due_at: due, version: task.version + 1, updated_at: core.now() })
    .where("task_id", "=", task.task_id)
    .execute();
  await appendEvent(tx, {
    taskId: task.task_id,
    at: core.now(),
    state: task.state,
    step: "verification",
    label: "The site asks the account holder to verify",
  });
  await announce(tx, task.task_id, core.now());
  return continuation;
}

/** The open verification of a task, if it has one. */
export async function findVerification(db: Db, taskId: string): Promise<VerificationRow | undefined> {
  return db
    .selectFrom("verification")
    .selectAll()
    .where("task_id", "=", taskId)
    .where("closed_at", "is", null)
    .executeTakeFirst();
}

/** When a task's verification ended; until then the person could still bring the order about. Undefined without one. */
export async function verificationEndedAt(db: Db, taskId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("verification")
    .select(({ fn }) => fn.max("closed_at").as("at"))
    .where("task_id", "=", taskId)
    .executeTakeFirst();
  const at = row?.at ?? undefined;
  return at === undefined ? undefined : Number(at);
}

export function demandState(core: Core, row: VerificationRow): JsonObject {
  const value: unknown = JSON.parse(openText(core.sealer, `verification:${row.continuation_ref}`, row.sealed));
  return value as JsonObject;
}

/**
 * Takes the one turn to send what the person typed: two windows cannot both send. Until `endSending` the task is due
 * soon, so that a process that dies in between leaves an unknown outcome and not an open form.
 */
export async function beginSending(core: Core, tx: Tx, row: VerificationRow): Promise<boolean> {
  const now = core.now();
  const { numUpdatedRows } = await tx
    .updateTable("verification")
    .set({ sending_at: now })
    .where("continuation_ref", "=", row.continuation_ref)
    .where("closed_at", "is", null)
    .where("sending_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx
    .updateTable("task")
    .set({ due_at: now + VERIFICATION_SEND_MS })
    .where("task_id", "=", row.task_id)
    .execute();
  return true;
}

/** The site has answered and asks on. */
export async function endSending(core: Core, tx: Tx, row: VerificationRow): Promise<void> {
  await tx
    .updateTable("verification")
    .set({ sending_at: null })
    .where("continuation_ref", "=", row.continuation_ref)
    .execute();
  await waitOn(core, tx, { ...row, sending_at: null });
}

/** Nobody can tell what became of what was sent: the task is due at once, and its outcome is unknown. */
export async function markUnclear(core: Core, tx: Tx, row: VerificationRow): Promise<void> {
  const { continuation_ref: ref } = row;
  await tx.updateTable("verification").set({ sending_at: 0 }).where("continuation_ref", "=", ref).execute();
  await tx.updateTable("task").set({ due_at: core.now() }).where("continuation_ref", "=", ref).execute();
}

/** When the task is to be looked at again: at the end of the time, or when a page's keeper has not said that it lives. */
export async function waitOn(core: Core, tx: Tx, row: VerificationRow): Promise<void> {
  const { expires_at: expiresAt } = await tx
    .selectFrom("continuation")
    .select("expires_at")
    .where("continuation_ref", "=", row.continuation_ref)
    .executeTakeFirstOrThrow();
  const lookAgain = row.mode === "form" ? expiresAt : Math.min(core.now() + LEASE_MS, expiresAt);
  const due = row.sending_at === null ? lookAgain : row.sending_at + VERIFICATION_SEND_MS;
  await tx
    .updateTable("task")
    .set({ due_at: due })
    .where("task_id", "=", row.task_id)
    .where("continuation_ref", "=", row.continuation_ref)
    .execute();
}

/** Ends a task's verification with the outcome it led to, and spends its continuation, in the outcome's transaction. */
export async function closeVerification(tx: Tx, taskId: string, now: number): Promise<void> {
  const row = await findVerification(tx, taskId);
  if (row === undefined) return;
  const { continuation_ref: ref } = row;
  const { session_hash: sessionHash } = await tx
    .selectFrom("continuation")
    .select("session_hash")
    .where("continuation_ref", "=", ref)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("continuation_use")
    .values({ continuation_ref: ref, session_hash: sessionHash ?? "", used_at: now })
    .onConflict((c) => c.column("continuation_ref").doNothing())
    .execute();
  await tx.updateTable("continuation").set({ completed_at: now }).where("continuation_ref", "=", ref).execute();
  await tx.updateTable("verification").set({ closed_at: now }).where("continuation_ref", "=", ref).execute();
}
