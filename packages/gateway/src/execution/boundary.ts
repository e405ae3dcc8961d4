import type { Observed } from "@countersign/plugin";
import {
  type ActionRecord,
  actionRecord,
  type CommitOperation,
  comparePersonal,
  compareTerms,
  type Reason,
  readDisclosure,
} from "@countersign/profile";
import { assert, digestOf, err, type JsonObject, ok, parseInstant, type Result } from "@countersign/wire";
import { findConnection } from "../connection/accounts.ts";
import { checkAmount } from "../consent/check.ts";
import { readDisclosures } from "../evidence/bundle.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import { isUniqueViolation, type Tx } from "../store/store.ts";
import { moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";
import { grantNow, type Work } from "./work.ts";

export type CrossingProblem =
  /** Material terms are not the approved ones: a new record and decision are needed (APR-4). */
  | { readonly kind: "terms_changed" }
  /** The grant, a limit, the approval or a time no longer stands: the task stops, nothing was submitted. */
  | { readonly kind: "stopped"; readonly event: "denied" | "expired"; readonly reason: Reason }
  | { readonly kind: "sign_in" }
  /** Another worker has the task; this one may only observe. */
  | { readonly kind: "lost_lease" };

export interface Crossing {
  readonly task: TaskRow;
  readonly submissionId: string;
  readonly submittedAt: number;
  /** The terms as observed at the boundary. */
  readonly observed: JsonObject;
}

/**
 * The only door through which an irrevocable act can pass (design, spine 5; APR-5). In one immediate transaction it
 * re-reads grant, limits, approval, expiry, connection and lock, compares the fresh terms with the approved record,
 * consumes the approval by unique insert and writes the submission with its fingerprint. When it answers ok the row is
 * durable, and only then may the caller send.
 */
export async function cross(
  work: Work,
  record: ActionRecord,
  observed: Observed<unknown>,
  fingerprint: JsonObject,
): Promise<Result<Crossing, CrossingProblem>> {
  const { core, operation } = work;
  assert(operation.effect === "commit", "only a commit crosses the boundary");
  const digest = await digestOf(record as JsonObject);
  try {
    return await core.store.transaction((tx) => crossIn(tx, work, operation, record, digest, observed, fingerprint));
  } catch (error) {
    // Somebody has consumed this approval already: whoever it was, this worker must not send.
    if (isUniqueViolation(error)) return err({ kind: "lost_lease" });
    throw error;
  }
}

async function crossIn(
  tx: Tx,
  work: Work,
  operation: CommitOperation,
  record: ActionRecord,
  digest: string,
  observed: Observed<unknown>,
  fingerprint: JsonObject,
): Promise<Result<Crossing, CrossingProblem>> {
  const { core } = work;
  const now = core.now();
  const task = await readTask(tx, work.task.task_id);
  const holdsLease =
    task.fence === work.task.fence && task.lease_owner !== null && task.lease_until !== null && task.lease_until > now;
  if (!holdsLease || task.version !== work.task.version || task.state !== "executing" || task.submitted === 1)
    return err({ kind: "lost_lease" });

  const allowed = await grantNow(tx, { ...work, task });
  if (!allowed.ok) return err({ kind: "stopped", event: "denied", reason: allowed.reason });
  if (!allowed.value.routes.includes(record.route.kind))
    return err({ kind: "stopped", event: "denied", reason: "route_not_granted" });
  if (now >= task.request_expires_at) return err({ kind: "stopped", event: "expired", reason: "request_expired" });

  const action = await tx
    .selectFrom("action")
    .selectAll()
    .where("action_id", "=", task.action_id ?? "")
    .executeTakeFirst();
  const approval = await tx
    .selectFrom("approval")
    .selectAll()
    .where("action_id", "=", task.action_id ?? "")
    .executeTakeFirst();
  const recordExpiry = parseInstant(record.expires_at);
  if (
    action === undefined ||
    approval === undefined ||
    action.status !== "approved" ||
    approval.decision !== "approved"
  ) {
    return err({ kind: "stopped", event: "denied", reason: "refused_by_holder" });
  }
  if (action.action_id !== record.action_id || action.digest !== digest || record.task_id !== task.task_id)
    return err({ kind: "terms_changed" });
  if (!recordExpiry.ok || now >= recordExpiry.value || now >= action.expires_at) {
    return err({ kind: "stopped", event: "expired", reason: "approval_expired" });
  }
  const connection = await findConnection(tx, task.account_ref, record.route.kind);
  if (connection?.state !== "connected") return err({ kind: "sign_in" });

  const fresh = operation.terms.safeParse(observed.terms);
  if (!fresh.success || operation.contradictions(work.parameters, fresh.data).length > 0)
    return err({ kind: "terms_changed" });
  const compared = compareTerms(operation.meaning, record.terms as JsonObject, fresh.data);
  const personal = comparePersonal(operation.meaning, approvedPersonal(work, action), observed.personal ?? {});
  if (!compared.holds || personal.length > 0) return err({ kind: "terms_changed" });
  const amount = checkAmount(operation, allowed.value.limits, fresh.data, "observed");
  if (!amount.ok) return err({ kind: "stopped", event: "denied", reason: amount.reason });

  const submissionId = core.newId("sub");
  await tx
    .insertInto("approval_use")
    .values({ approval_ref: approval.approval_ref, task_id: task.task_id, used_at: now })
    .execute();
  await tx
    .insertInto("submission")
    .values({
      task_id: task.task_id,
      submission_id: submissionId,
      action_id: action.action_id,
      attempt: 1,
      fence: task.fence,
      fingerprint: sealText(core.sealer, `fingerprint:${task.task_id}`, JSON.stringify(fingerprint)),
      observed: sealText(core.sealer, `observed:${task.task_id}`, JSON.stringify(fresh.data)),
      submitted_at: now,
    })
    .execute();
  const moved = await moveTask(tx, task, "commit", { type: "crossed" }, now);
  if (!moved.ok) return err({ kind: "lost_lease" });
  return ok({ task: await readTask(tx, task.task_id), submissionId, submittedAt: now, observed: fresh.data });
}

/** The personal text of the approved record: what the disclosures say, but for the display text. */
function approvedPersonal(
  work: Work,
  action: { readonly action_id: string; readonly disclosures: Uint8Array },
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const disclosure of readDisclosures(work.core, action)) {
    const read = readDisclosure(disclosure);
    assert(read.ok, "a stored disclosure is readable");
    if (read.value.name !== "display_text" && typeof read.value.value === "string")
      found[read.value.name] = read.value.value;
  }
  return found;
}

/** The approved record of a task as it was stored. */
export async function approvedRecord(work: Work): Promise<ActionRecord | undefined> {
  const row = await work.core.store.db
    .selectFrom("action")
    .selectAll()
    .where("action_id", "=", work.task.action_id ?? "")
    .executeTakeFirst();
  return row?.status === "approved" ? actionRecord.parse(storedRecord(row.record)) : undefined;
}
