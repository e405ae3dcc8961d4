import { actionRecord } from "@countersign/profile";
import { err, formatInstant, type Instant, type JsonObject, ok, type Result } from "@countersign/wire";
import { z } from "zod";
import type { Core, Owner } from "../core.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import { isUniqueViolation, type Tx } from "../store/store.ts";
import { findTask, moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";
import type { ActionRow } from "./rows.ts";

/** What the approval page posts. It names the digest it recomputed from what it drew. */
export const approvalDecision = z.strictObject({
  decision: z.enum(["approved", "denied"]),
  action_digest: z.string().length(43),
  surface: z.strictObject({ version: z.string().min(1).max(40), display_digest: z.string().length(43) }),
  reason: z.string().max(500).optional(),
});
export type ApprovalDecisionInput = z.infer<typeof approvalDecision>;

export type DecisionProblem = "not_found" | "conflict" | "gone";

export async function findAction(
  core: Core,
  owner: Owner,
  actionId: string,
): Promise<{ readonly action: ActionRow; readonly task: TaskRow } | undefined> {
  const action = await core.store.db
    .selectFrom("action")
    .selectAll()
    .where("action_id", "=", actionId)
    .executeTakeFirst();
  if (action === undefined) return undefined;
  const task = await findTask(core.store.db, owner, action.task_id);
  return task === undefined ? undefined : { action, task };
}

/**
 * The account holder's decision on one frozen record, from their own authenticated session (APR-3). The record and the
 * task are one transaction; of concurrent decisions one wins, and repeating one's own is the same answer (U22, U23).
 */
export async function decide(
  core: Core,
  owner: Owner,
  sessionHash: string,
  actionId: string,
  input: ApprovalDecisionInput,
): Promise<Result<ActionRow, DecisionProblem>> {
  const found = await findAction(core, owner, actionId);
  if (found === undefined) return err("not_found");
  const { action } = found;
  const record = actionRecord.parse(storedRecord(action.record));
  if (input.action_digest !== action.digest || input.surface.display_digest !== record.private["display_text"])
    return err("conflict");
  const decidedAt = core.now();
  const approvalRef = core.newId("apr");
  const payload: JsonObject = {
    typ: "countersign.approval/1",
    issuer: core.issuer,
    approval_ref: approvalRef,
    task_id: action.task_id,
    action_id: actionId,
    action_digest: action.digest,
    account_holder: record.account_holder,
    decision: input.decision,
    decided_at: formatInstant(decidedAt),
    commit_before: formatInstant(action.expires_at as Instant),
    uses: 1,
    surface: { id: "approval-page", version: input.surface.version, display_digest: input.surface.display_digest },
    auth: { method: "session", uv: false },
  };
  const jws = await core.keys.sign("approval", "approval", payload);
  await core.reach("decision.before_commit");
  try {
    const decided = await core.store.transaction(async (tx): Promise<Result<ActionRow, DecisionProblem>> => {
      const row = await tx.selectFrom("action").selectAll().where("action_id", "=", actionId).executeTakeFirstOrThrow();
      if (row.status === input.decision) return ok(row);
      if (row.status !== "pending") return err(row.status === "expired" ? "gone" : "conflict");
      if (core.now() >= row.expires_at) return err("gone");
      await tx
        .insertInto("approval")
        .values({
          approval_ref: approvalRef,
          action_id: actionId,
          task_id: row.task_id,
          decision: input.decision,
          decided_at: decidedAt,
          session_hash: sessionHash,
          note: input.reason === undefined ? null : sealText(core.sealer, `note:${approvalRef}`, input.reason),
          jws,
        })
        .execute();
      await tx.updateTable("action").set({ status: input.decision }).where("action_id", "=", actionId).execute();
      await applyDecision(core, tx, row, approvalRef, input.decision);
      return ok({ ...row, status: input.decision });
    });
    await core.reach("decision.committed");
    if (decided.ok) core.poke();
    return decided;
  } catch (error) {
    if (isUniqueViolation(error)) return err("conflict");
    throw error;
  }
}

async function applyDecision(
  core: Core,
  tx: Tx,
  action: ActionRow,
  approvalRef: string,
  decision: "approved" | "denied",
): Promise<void> {
  const task = await readTask(tx, action.task_id);
  const now = core.now();
  if (decision === "approved") {
    const moved = await moveTask(tx, task, "commit", { type: "approved" }, now, {
      due_at: now,
      approval_ref: approvalRef,
      tries: 0,
    });
    if (!moved.ok) throw new Error("a pending record belongs to a task that waits for it");
    return;
  }
  const moved = await moveTask(tx, task, "commit", { type: "denied", reason: "refused_by_holder" }, now, {
    due_at: null,
    approval_ref: approvalRef,
  });
  if (!moved.ok) throw new Error("a pending record belongs to a task that waits for it");
  await insertReceipt(core, tx, await readTask(tx, task.task_id));
}
