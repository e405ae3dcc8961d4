import { err, ok, type Result } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Core, Owner } from "../core.ts";
import { CONTINUATION_LIFE_MS } from "../limits.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";

export type ContinuationRow = Selectable<Schema["continuation"]>;

/**
 * A hand-off to the person: bound to tenant, user, account and task (or connection), and, from its first authenticated
 * POST on, to the browser session that began it. Short-lived; spent at completion only (MFA-3).
 */
export async function openContinuation(
  core: Core,
  tx: Tx,
  what: Owner & { readonly accountRef: string; readonly route: string; readonly taskId?: string },
  latest: number = Number.MAX_SAFE_INTEGER,
): Promise<ContinuationRow> {
  const now = core.now();
  const row: ContinuationRow = {
    continuation_ref: core.newId("cont"),
    tenant_id: what.tenantId,
    person_id: what.personId,
    account_ref: what.accountRef,
    route: what.route,
    kind: what.taskId === undefined ? "connect" : "task",
    task_id: what.taskId ?? null,
    session_hash: null,
    created_at: now,
    expires_at: Math.min(now + CONTINUATION_LIFE_MS, latest),
    begun_at: null,
    completed_at: null,
  };
  await tx.insertInto("continuation").values(row).execute();
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

export type ContinuationProblem = "not_found" | "gone" | "conflict";

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
  const now = core.now();
  if (row.completed_at !== null || now >= row.expires_at) return err("gone");
  if (row.session_hash !== null && row.session_hash !== sessionHash) return err("conflict");
  const begun = { session_hash: sessionHash, begun_at: row.begun_at ?? now };
  await tx.updateTable("continuation").set(begun).where("continuation_ref", "=", ref).execute();
  return ok({ ...row, ...begun });
}

/** Spends it: true for exactly one caller, and only in the session that began it. */
export async function completeContinuation(
  core: Core,
  tx: Tx,
  row: ContinuationRow,
  sessionHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("continuation")
    .set({ completed_at: core.now() })
    .where("continuation_ref", "=", row.continuation_ref)
    .where("completed_at", "is", null)
    .where("session_hash", "=", sessionHash)
    .where("expires_at", ">", core.now())
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
