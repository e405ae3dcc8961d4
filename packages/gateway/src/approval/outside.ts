import type { ActionRecord } from "@countersign/profile";
import { assert, type Json, parseJson } from "@countersign/wire";
import type { Core } from "../core.ts";
import type { Tx } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { openText } from "../vault/seal.ts";
import type { AuthorityProblem } from "./enrolments.ts";
import { type Heard, hear, heardProblem } from "./hear.ts";
import type { ApprovalRow } from "./rows.ts";

/** What the authority that approved a record says now. */
export type Outside =
  /** No authority decided it. */
  | { readonly kind: "not_asked" }
  | { readonly kind: "stands"; readonly authority: string; readonly approvalRef: string; readonly heard: Heard }
  | { readonly kind: "refused"; readonly reason: AuthorityProblem };

/**
 * Just before the boundary an authority's evidence is verified once more: it may have been revoked, or have run out,
 * while the commit was on its way (APR-5). Outside any transaction, for an authority may have to ask somebody.
 */
export async function askOutside(core: Core, task: TaskRow, record: ActionRecord): Promise<Outside> {
  const row = await core.store.db
    .selectFrom("approval")
    .selectAll()
    .where("action_id", "=", record.action_id)
    .where("method", "=", "authority")
    .executeTakeFirst();
  if (row === undefined) return { kind: "not_asked" };
  assert(row.authority !== null && row.evidence !== null, "an authority's approval has its evidence");
  const heard = await hear(core, task, record, row.authority, readEvidence(core, row.approval_ref, row.evidence));
  if (!heard.ok) return { kind: "refused", reason: heard.reason };
  return { kind: "stands", authority: row.authority, approvalRef: row.approval_ref, heard: heard.value };
}

/** What was heard before the transaction, as it stands inside it. */
export async function outsideNow(
  tx: Tx,
  approval: ApprovalRow | undefined,
  before: Outside,
  now: number,
): Promise<Outside> {
  if (approval?.method !== "authority") return { kind: "not_asked" };
  if (before.kind === "refused") return before;
  if (before.kind === "not_asked" || before.approvalRef !== approval.approval_ref)
    return { kind: "refused", reason: "evidence_refused" };
  const problem = await heardProblem(tx, before.authority, before.heard, now);
  return problem === undefined ? before : { kind: "refused", reason: problem };
}

/** Consumes what the authority named, in the boundary transaction. A second use of a key fails the unique insert (U26). */
export async function consumeOutside(tx: Tx, taskId: string, outside: Outside, now: number): Promise<void> {
  if (outside.kind !== "stands") return;
  for (const key of outside.heard.keys)
    await tx
      .insertInto("authority_use")
      .values({
        authority: outside.authority,
        key,
        task_id: taskId,
        approval_ref: outside.approvalRef,
        used_at: now,
      })
      .execute();
}

/**
 * Consumes what the authority named for an act that has been done already, by a store that was lost (STA-8). A key that
 * was consumed before stays what it is: what has been done cannot be refused any more.
 */
export async function consumeDone(tx: Tx, taskId: string, outside: Outside, now: number): Promise<void> {
  if (outside.kind !== "stands") return;
  const { authority, approvalRef, heard } = outside;
  for (const key of heard.keys)
    await tx
      .insertInto("authority_use")
      .values({ authority, key, task_id: taskId, approval_ref: approvalRef, used_at: now })
      .onConflict((c) => c.columns(["authority", "key"]).doNothing())
      .execute();
}

function readEvidence(core: Core, approvalRef: string, sealed: Uint8Array): Json {
  const parsed = parseJson(openText(core.sealer, `authority-evidence:${approvalRef}`, sealed), {
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
  assert(parsed.ok, "stored evidence is JSON");
  return parsed.value;
}
