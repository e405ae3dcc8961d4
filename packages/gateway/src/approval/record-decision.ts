import type { ActionRecord, ApprovalMethod, ApprovalRecord, Reason } from "@countersign/profile";
import { err, formatInstant, type Instant, type JsonObject, ok, type Result } from "@countersign/wire";
import type { Core } from "../core.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import { insertSignedLeaf } from "../evidence/log/leaf.ts";
import { isUniqueViolation, type Tx } from "../store/store.ts";
import { moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { policyInForce, policyToSatisfy, shortOf } from "./policy.ts";
import type { ActionRow, ApprovalRow } from "./rows.ts";

/** A decision as somebody made it; who they are is known before anything gets here. */
export interface Decision {
  readonly decision: ApprovalRecord["decision"];
  readonly method: ApprovalMethod;
  readonly surface: ApprovalRecord["surface"];
  readonly auth: ApprovalRecord["auth"];
  /** The columns beside the signed record. */
  readonly kept: (approvalRef: string) => Pick<ApprovalRow, "session_hash"> & Partial<ApprovalRow>;
  /** What must still hold in the transaction; a reason when it does not. */
  readonly recheck?: (tx: Tx, task: TaskRow) => Promise<Reason | undefined>;
}

/**
 * Signs a decision on one frozen record and stores it with the task's move, in one transaction: neither can be without
 * the other, and the record is never deleted (U25). Of concurrent decisions one wins; whoever repeats the settled one
 * gets the same answer, and anybody else is told what became of the record (U22, U23, U24).
 */
export async function recordDecision(
  core: Core,
  action: ActionRow,
  record: ActionRecord,
  made: Decision,
): Promise<Result<ActionRow, Reason>> {
  const decidedAt = core.now();
  const approvalRef = core.newId("apr");
  const jws = await core.keys.sign("approval", "approval", payload(core, action, record, made, approvalRef, decidedAt));
  await core.reach("decision.before_commit");
  const decided = await core.store
    .transaction(async (tx): Promise<Result<ActionRow, Reason>> => {
      const row = await readAction(tx, action.action_id);
      const settled = await settledAnswer(core, tx, row, made.decision);
      if (settled !== undefined) return settled;
      const task = await readTask(tx, row.task_id);
      const objection = await objectionTo(core, tx, task, record, made);
      if (objection !== undefined) return err(objection);
      const { numUpdatedRows } = await tx
        .updateTable("action")
        .set({ status: made.decision })
        .where("action_id", "=", row.action_id)
        .where("status", "=", "pending")
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return err("decided_otherwise");
      const { decision, method } = made;
      await tx
        .insertInto("approval")
        .values({
          approval_ref: approvalRef,
          action_id: row.action_id,
          task_id: row.task_id,
          decision,
          decided_at: decidedAt,
          method,
          note: null,
          jws,
          ...made.kept(approvalRef),
        })
        .execute();
      await insertSignedLeaf(tx, {
        kind: "approval",
        recordId: approvalRef,
        createdAt: decidedAt,
        tenantId: task.tenant_id,
        accountRef: task.account_ref,
        taskId: task.task_id,
        jws,
      });
      await applyDecision(core, tx, task, approvalRef, decision);
      return ok({ ...row, status: decision });
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) return undefined;
      throw error;
    });
  await core.reach("decision.committed");
  if (decided?.ok) core.poke();
  return decided ?? core.store.transaction(async (tx) => lost(core, tx, action.action_id, made.decision));
}

function payload(
  core: Core,
  action: ActionRow,
  record: ActionRecord,
  made: Decision,
  approvalRef: string,
  decidedAt: Instant,
): JsonObject {
  return {
    typ: "countersign.approval/1",
    issuer: core.issuer,
    approval_ref: approvalRef,
    task_id: action.task_id,
    action_id: action.action_id,
    action_digest: action.digest,
    account_holder: record.account_holder,
    decision: made.decision,
    decided_at: formatInstant(decidedAt),
    commit_before: formatInstant(action.expires_at as Instant),
    uses: 1,
    surface: { ...made.surface },
    auth: { ...made.auth },
  };
}

async function readAction(tx: Tx, actionId: string): Promise<ActionRow> {
  return tx.selectFrom("action").selectAll().where("action_id", "=", actionId).executeTakeFirstOrThrow();
}

/** The policy may have been tightened since the page was drawn, and what the decision stands on may have ended. */
async function objectionTo(
  core: Core,
  tx: Tx,
  task: TaskRow,
  record: ActionRecord,
  made: Decision,
): Promise<Reason | undefined> {
  if (made.decision === "denied") return undefined;
  const operation = core.catalogue.get(task.operation);
  if (operation?.effect !== "commit") throw new Error("an action belongs to a commit");
  const consent = await tx
    .selectFrom("consent")
    .select("granted")
    .where("consent_ref", "=", task.consent_ref)
    .executeTakeFirst();
  const inForce = await policyInForce(tx, task.tenant_id, operation, consent);
  const short = shortOf(policyToSatisfy(inForce, record), made.method);
  return short ?? made.recheck?.(tx, task);
}

/** What there is to say when a record does not wait for a decision any more; undefined while it does. */
async function settledAnswer(
  core: Core,
  tx: Tx,
  row: ActionRow,
  decision: ApprovalRecord["decision"],
): Promise<Result<ActionRow, Reason> | undefined> {
  switch (row.status) {
    case "pending":
      return core.now() >= row.expires_at ? err("decision_expired") : undefined;
    case "approved":
    case "denied":
      return row.status === decision ? ok(row) : err("decided_otherwise");
    case "expired":
      return err("decision_expired");
    case "superseded":
      return err("record_superseded");
    case "stopped":
      return err("record_stopped");
    case "withdrawn": {
      const task = await readTask(tx, row.task_id);
      return err(task.reason === "withdrawn_by_agent" ? "record_withdrawn_by_agent" : "record_withdrawn_by_holder");
    }
  }
}

/** Another decision was stored between our reading and our writing: what it left behind is the answer. */
async function lost(
  core: Core,
  tx: Tx,
  actionId: string,
  decision: ApprovalRecord["decision"],
): Promise<Result<ActionRow, Reason>> {
  const row = await readAction(tx, actionId);
  return (await settledAnswer(core, tx, row, decision)) ?? err("conflict");
}

async function applyDecision(
  core: Core,
  tx: Tx,
  task: TaskRow,
  approvalRef: string,
  decision: ApprovalRecord["decision"],
): Promise<void> {
  const now = core.now();
  const event = decision === "approved" ? ({ type: decision } as const) : HOLDER_REFUSED;
  const changes = decision === "approved" ? { due_at: now, tries: 0 } : { due_at: null };
  const moved = await moveTask(tx, task, "commit", event, now, { ...changes, approval_ref: approvalRef });
  if (!moved.ok) throw new Error("a pending record belongs to a task that waits for it");
  if (decision === "denied") await insertReceipt(core, tx, moved.value);
}

const HOLDER_REFUSED = { type: "denied", reason: "refused_by_holder" } as const;
