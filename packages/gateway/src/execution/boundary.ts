import type { Observed } from "@countersign/plugin";
import { type ActionRecord, actionRecord, readDisclosure } from "@countersign/profile";
import { assert, digestOf, err, type JsonObject, ok, type Result } from "@countersign/wire";
import { askOutside, consumeOutside, type Outside, outsideNow } from "../approval/outside.ts";
import { policyInForce } from "../approval/policy.ts";
import { type ActionRow, type ApprovalRow, signedDecision } from "../approval/rows.ts";
import { findConnection } from "../connection/accounts.ts";
import { reserveUse, usedOf } from "../consent/uses.ts";
import { readDisclosures } from "../evidence/bundle.ts";
import { isLogged, storedRecord } from "../evidence/sequencer.ts";
import { LEASE_MS } from "../limits.ts";
import { mustReadBackFirst } from "../restore/restored.ts";
import { isUniqueViolation, type Tx } from "../store/store.ts";
import { writeNotes } from "../tasks/progress.ts";
import { moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";
import { type CrossingFacts, type CrossingProblem, judgeCrossing, type MayCross } from "./judge.ts";
import { readConsent, type Work } from "./work.ts";

export interface Crossing {
  readonly task: TaskRow;
  readonly submissionId: string;
  readonly submittedAt: number;
  /** The terms as observed at the boundary. */
  readonly observed: JsonObject;
  /** Until then nobody else looks at the task; after it this worker may only observe, never send. */
  readonly sendBefore: number;
}

/** What a worker brings to the boundary: the record it acts on, and what it found at the site just now. */
export interface Attempt {
  readonly record: ActionRecord;
  readonly observed: Observed<unknown>;
  /** What a read-back will look for. */
  readonly fingerprint: JsonObject;
}

/**
 * The only door through which an irrevocable act can pass (design, spine 5; APR-5). In one transaction it re-reads
 * grant, limits, approval, expiry, connection and lock, has them judged together with the fresh terms, consumes the
 * approval by unique insert and writes the submission with its fingerprint. When it answers ok the row is durable, and
 * only then may the caller send.
 */
export async function cross(work: Work, attempt: Attempt): Promise<Result<Crossing, CrossingProblem>> {
  const digest = await digestOf(attempt.record as JsonObject);
  const before = await askOutside(work.core, work.task, attempt.record);
  const notes = work.progress.take();
  try {
    return await work.core.store.transaction(async (tx): Promise<Result<Crossing, CrossingProblem>> => {
      const found = await readFacts(tx, work, attempt, digest, before);
      await writeNotes(tx, found.task, notes);
      const judged = judgeCrossing(found.facts);
      return judged.ok ? submit(tx, work, attempt, found, judged.value) : judged;
    });
  } catch (error) {
    // Somebody has consumed this approval already: whoever it was, this worker must not send.
    if (isUniqueViolation(error)) return err({ kind: "lost_lease" });
    throw error;
  }
}

interface Found {
  readonly facts: CrossingFacts;
  readonly task: TaskRow;
  readonly action: ActionRow | undefined;
  readonly approval: ApprovalRow | undefined;
}

async function readFacts(tx: Tx, work: Work, attempt: Attempt, digest: string, before: Outside): Promise<Found> {
  const { core, operation } = work;
  assert(operation.effect === "commit", "only a commit crosses the boundary");
  const task = await readTask(tx, work.task.task_id);
  const actionId = task.action_id ?? "";
  const action = await tx.selectFrom("action").selectAll().where("action_id", "=", actionId).executeTakeFirst();
  const approval = await tx.selectFrom("approval").selectAll().where("action_id", "=", actionId).executeTakeFirst();
  const now = core.now();
  const consent = await readConsent(tx, task);
  const facts: CrossingFacts = {
    now,
    operation,
    parameters: work.parameters,
    claimed: work.task,
    task,
    readBackFirst: await mustReadBackFirst(tx, task.account_ref),
    consent,
    used: await usedOf(tx, consent, now),
    action,
    approval: approval === undefined ? undefined : signedDecision(approval),
    policy: await policyInForce(tx, task.tenant_id, operation, consent),
    outside: await outsideNow(tx, approval, before, now),
    connection: await findConnection(tx, task.account_ref, attempt.record.route.kind),
    record: attempt.record,
    digest,
    personal: action === undefined ? {} : approvedPersonal(work, action),
    observed: attempt.observed,
  };
  return { facts, task, action, approval };
}

async function submit(
  tx: Tx,
  work: Work,
  attempt: Attempt,
  { facts, task, action, approval }: Found,
  may: MayCross,
): Promise<Result<Crossing, CrossingProblem>> {
  const { core } = work;
  assert(action !== undefined, "what may cross has its record");
  const submissionId = core.newId("sub");
  if (approval !== undefined) assert(await isLogged(tx, approval.approval_ref), "what may cross stands in the log");
  if (approval !== undefined)
    await tx
      .insertInto("approval_use")
      .values({ approval_ref: approval.approval_ref, task_id: task.task_id, used_at: facts.now })
      .execute();
  await consumeOutside(tx, task.task_id, facts.outside, facts.now);
  await tx
    .insertInto("submission")
    .values({
      task_id: task.task_id,
      submission_id: submissionId,
      action_id: action.action_id,
      attempt: 1,
      fence: task.fence,
      fingerprint: sealText(core.sealer, `fingerprint:${task.task_id}`, JSON.stringify(attempt.fingerprint)),
      observed: sealText(core.sealer, `observed:${task.task_id}`, JSON.stringify(may.terms)),
      submitted_at: facts.now,
    })
    .execute();
  await reserveUse(tx, task, may.act, facts.now);
  const sendBefore = facts.now + LEASE_MS;
  const moved = await moveTask(tx, task, "commit", { type: "crossed" }, facts.now, { lease_until: sendBefore });
  assert(moved.ok, "a task whose turn it is can cross");
  return ok({
    task: moved.value,
    submissionId,
    submittedAt: facts.now,
    observed: may.terms,
    sendBefore,
  });
}

/** The personal text of the approved record: what the disclosures say, but for the display text. */
function approvedPersonal(work: Work, action: ActionRow): Readonly<Record<string, string>> {
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
