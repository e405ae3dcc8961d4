import { err, ok, type Result } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Core, Owner } from "../core.ts";
import { CONTINUATION_LIFE_MS } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";

export type ContinuationRow = Selectable<Schema["continuation"]>;

export interface NewContinuation extends Owner {
  readonly accountRef: string;
  readonly route: string;
  readonly kind: ContinuationRow["kind"];
  /** Absent for a first connection. */
  readonly taskId?: string;
  /** It never outlives this instant. */
  readonly latest?: number;
  readonly lifeMs?: number;
}

/**
 * A hand-off to the person: bound to tenant, user, account and task (or connection), and, from its first authenticated
 * POST on, to the browser session that began it. Short-lived; spent at completion only (MFA-3).
 */
export async function openContinuation(core: Core, tx: Tx, what: NewContinuation): Promise<ContinuationRow> {
  const now = core.now();
  const row: ContinuationRow = {
    continuation_ref: core.newId("cont"),
    tenant_id: what.tenantId,
    person_id: what.personId,
    account_ref: what.accountRef,
    route: what.route,
    kind: what.kind,
    task_id: what.taskId ?? null,
    session_hash: null,
    created_at: now,
    expires_at: Math.min(now + (what.lifeMs ?? CONTINUATION_LIFE_MS), what.latest ?? Number.MAX_SAFE_INTEGER),
    begun_at: null,
    completed_at: null,
    tried_elsewhere_at: null,
  };
  await tx.insertInto("continuation").values(row).execute();
  // A first connection is begun by the person themselves, who is there.
  if (what.kind !== "connect")
    await tell(core, tx, what, what.kind === "task" ? "sign_in" : "verification", row.continuation_ref);
  return row;
}

export async function findContinuation(db: Db, owner: Owner, ref: string): Promise<ContinuationRow | undefined> {
  return db
    .selectFrom("continuation")
    .selectAll()
    .where("continuation_ref", "=", ref)
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .executeTakeFirst();
}

/** Whether a task has a continuation that the person can still use. */
export async function hasLiveContinuation(core: Core, db: Db, ref: string | null): Promise<boolean> {
  if (ref === null) return false;
  const row = await db
    .selectFrom("continuation")
    .select("continuation_ref")
    .where("continuation_ref", "=", ref)
    .where("completed_at", "is", null)
    .where("expires_at", ">", core.now())
    .executeTakeFirst();
  return row !== undefined;
}

/** `elsewhere`: begun in another browser session; that it was tried is kept, so that both sides are told (U39). */
export type ContinuationProblem = "not_found" | "gone" | "elsewhere";

/** Starting again in the same browser session is free; another session is told that it is taken. */
export async function beginContinuation(
  core: Core,
  tx: Tx,
  owner: Owner,
  ref: string,
  sessionHash: string,
): Promise<Result<ContinuationRow, ContinuationProblem>> {
  const row = await findContinuation(tx, owner, ref);
  if (row === undefined) return err("not_found");
  const open = await stillOpen(core, tx, row, sessionHash);
  if (!open.ok) return open;
  const begun = { session_hash: sessionHash, begun_at: row.begun_at ?? core.now() };
  await tx.updateTable("continuation").set(begun).where("continuation_ref", "=", ref).execute();
  return ok({ ...row, ...begun });
}

/** The continuation, for the browser session that began it and for no other: what every step between is judged by. */
export async function continueIn(
  core: Core,
  tx: Tx,
  owner: Owner,
  ref: string,
  sessionHash: string,
): Promise<Result<ContinuationRow, ContinuationProblem>> {
  const row = await findContinuation(tx, owner, ref);
  // One that nobody has begun is answered as an unknown one: a reference alone is worth nothing (U40, U41).
  if (row === undefined || row.session_hash === null) return err("not_found");
  const open = await stillOpen(core, tx, row, sessionHash);
  return open.ok ? ok(row) : open;
}

async function stillOpen(
  core: Core,
  tx: Tx,
  row: ContinuationRow,
  sessionHash: string,
): Promise<Result<undefined, ContinuationProblem>> {
  const now = core.now();
  if (row.completed_at !== null || now >= row.expires_at) return err("gone");
  if (row.session_hash !== null && row.session_hash !== sessionHash) {
    const tried = { tried_elsewhere_at: now };
    await tx.updateTable("continuation").set(tried).where("continuation_ref", "=", row.continuation_ref).execute();
    const holder = { tenantId: row.tenant_id, personId: row.person_id };
    await tell(core, tx, holder, "tried_elsewhere", row.continuation_ref);
    return err("elsewhere");
  }
  if (row.task_id === null) return ok(undefined);
  // A task that has moved on, or waits for a later hand-off, has nothing to do with this one any more (U49).
  const task = await tx
    .selectFrom("task")
    .select("continuation_ref")
    .where("task_id", "=", row.task_id)
    .executeTakeFirst();
  return task?.continuation_ref === row.continuation_ref ? ok(undefined) : err("gone");
}

/**
 * Spends it: true for exactly one caller, and only in the session that began it. The unique row decides, on both
 * stores and however often a transaction is run again.
 */
export async function completeContinuation(
  core: Core,
  tx: Tx,
  row: ContinuationRow,
  sessionHash: string,
): Promise<boolean> {
  const now = core.now();
  const used = await tx
    .insertInto("continuation_use")
    .values({ continuation_ref: row.continuation_ref, session_hash: sessionHash, used_at: now })
    .onConflict((c) => c.column("continuation_ref").doNothing())
    .executeTakeFirst();
  if (used.numInsertedOrUpdatedRows !== 1n) return false;
  await tx
    .updateTable("continuation")
    .set({ completed_at: now })
    .where("continuation_ref", "=", row.continuation_ref)
    .execute();
  return true;
}
