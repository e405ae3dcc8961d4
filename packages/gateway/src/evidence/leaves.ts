import type { SiteRecord } from "@countersign/plugin";
import { digestOfText, formatInstant, type Instant, type JsonObject } from "@countersign/wire";
import type { Core } from "../core.ts";
import type { Tx } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { fitReceipt } from "./fit.ts";
import { insertUnsignedLeaf } from "./log/leaf.ts";
import { insertMerchantRecords, keepable } from "./merchant-records.ts";

/** What only an outcome at the destination can have; members that do not apply stay absent (REC-1). */
export interface ReceiptExtras {
  readonly destination?: { readonly confirmation?: string; readonly how?: string };
  readonly observed?: JsonObject;
  readonly commitStartedAt?: number;
  readonly attempt?: number;
  /** What the outcome was recognised by, as hashes. */
  readonly evidence?: readonly JsonObject[];
  /** The site's own records; kept as they came, and named in the receipt (REC-3). */
  readonly merchantRecords?: readonly SiteRecord[];
  readonly flags?: readonly string[];
}

/**
 * Inserts the unsigned receipt of a task that has just reached an outcome, in the transaction that moved it.
 * Nothing is signed inside a business transaction: the sequencer signs in log order and numbers per account.
 */
export async function insertReceipt(core: Core, tx: Tx, task: TaskRow, extras: ReceiptExtras = {}): Promise<void> {
  const action =
    task.action_id === null
      ? undefined
      : await tx.selectFrom("action").selectAll().where("action_id", "=", task.action_id).executeTakeFirst();
  const approval =
    action === undefined
      ? undefined
      : await tx.selectFrom("approval").selectAll().where("action_id", "=", action.action_id).executeTakeFirst();
  const earlier = await tx
    .selectFrom("leaf")
    .select("record_id")
    .where("task_id", "=", task.task_id)
    .where("kind", "=", "receipt")
    .orderBy("leaf_id", "desc")
    .limit(1)
    .executeTakeFirst();
  const receiptId = core.newId("rcp");
  const now = core.now();
  const kept = keepable(core, task.task_id, extras.merchantRecords);
  const merchantRecords = await insertMerchantRecords(core, tx, task, receiptId, kept);
  const payload: JsonObject = {
    typ: "countersign.receipt/1",
    issuer: core.issuer,
    source: "gateway",
    receipt_id: receiptId,
    task_id: task.task_id,
    operation: task.operation,
    account_ref: task.account_ref,
    outcome: task.state,
    finished_at: formatInstant(now),
    evidence: extras.evidence ?? [],
    merchant_records: merchantRecords,
    ...(task.state !== "succeeded" && task.reason !== null ? { reason: task.reason } : {}),
    ...(action === undefined ? {} : { action_digest: action.digest }),
    ...(approval === undefined
      ? {}
      : { approval_ref: approval.approval_ref, approval_digest: await digestOfText(approval.jws) }),
    ...(extras.attempt === undefined ? {} : { attempt: extras.attempt }),
    ...(extras.commitStartedAt === undefined
      ? {}
      : { commit_started_at: formatInstant(extras.commitStartedAt as Instant) }),
    ...(extras.destination === undefined ? {} : { destination: extras.destination }),
    ...(extras.observed === undefined ? {} : { observed: extras.observed }),
    ...(extras.flags === undefined || extras.flags.length === 0 ? {} : { flags: extras.flags }),
    ...(earlier === undefined ? {} : { supersedes: earlier.record_id }),
  };
  const { value: fitting, leftOut } = await fitReceipt(payload);
  if (leftOut.length > 0)
    core.log.warn("receipt.left_out", { task: task.task_id, receipt: receiptId, members: leftOut.join(" ") });
  await insertUnsignedLeaf(tx, {
    kind: "receipt",
    recordId: receiptId,
    createdAt: now,
    tenantId: task.tenant_id,
    accountRef: task.account_ref,
    taskId: task.task_id,
    payload: JSON.stringify(fitting),
  });
}
