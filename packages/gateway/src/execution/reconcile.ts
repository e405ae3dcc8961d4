import type { RouteKind, Submission } from "@countersign/plugin";
import { actionRecord } from "@countersign/profile";
import { formatInstant, type Instant, type JsonObject } from "@countersign/wire";
import { hasLiveContinuation } from "../connection/continuations.ts";
import { verificationEndedAt } from "../connection/verifications.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import { openText } from "../vault/seal.ts";
import { landedOf } from "./landed.ts";
import { type Submitted, settleConfirmed, settleRefused } from "./outcome.ts";
import { tellReview } from "./review.ts";
import { absenceCounts, nextReading } from "./windows.ts";
import { adapterFor, askSignIn, type Claimed, commitAdapter, openSession, saveSession, type Work } from "./work.ts";

/**
 * Reads the destination back for a submission whose answer was lost (STA-3). The interval grows to a cap; after a
 * number of tries the person is asked to look, once, and the reading goes on. Time never turns unknown into failed.
 * A revoked grant does not stop it: this is the one thing the gateway may still read for (CON-5).
 */
export async function runReconcile(work: Work): Promise<void> {
  const { core, task } = work;
  const stored = await core.store.db
    .selectFrom("submission")
    .selectAll()
    .where("task_id", "=", task.task_id)
    .executeTakeFirstOrThrow();
  const action = await core.store.db
    .selectFrom("action")
    .selectAll()
    .where("action_id", "=", stored.action_id)
    .executeTakeFirstOrThrow();
  const record = actionRecord.parse(storedRecord(action.record));
  const submission: Submission = {
    submissionId: stored.submission_id,
    record,
    fingerprint: unseal(work, "fingerprint", stored.fingerprint),
    submittedAt: formatInstant(stored.submitted_at as Instant),
  };
  const submitted = readSubmitted(work, stored);
  const route = record.route.kind as RouteKind;
  const adapter = commitAdapter(adapterFor(work, route));
  if (adapter === undefined) return again(work, "the adapter is gone");
  const opened = await openSession(work, route);
  if (!opened.ok) {
    if (opened.reason === "sign_in") await askOnce(work, route);
    return again(work, opened.reason);
  }
  const { ctx, open, session } = opened.value;
  try {
    const begunAt = core.now();
    await core.reach("reconcile.before");
    const found = await adapter.readBack(ctx, session, submission);
    await core.reach("reconcile.read");
    switch (found.kind) {
      case "found": {
        const landed = landedOf(work, found, "read_back", await open.secrets());
        await saveSession(work, route, open);
        return await settleConfirmed(work, submitted, record, landed);
      }
      case "absent":
        // A site may show an order late: its absence counts only once the submission has had time to land.
        if (!absenceCounts(begunAt, await lastPushAt(work, stored.submitted_at)))
          return await again(work, "not there yet");
        return await settleRefused(work, submitted, "not_done");
      case "unclear":
        return await again(work, found.why);
      case "sign_in":
        await askOnce(work, route);
        return await again(work, "signed out");
    }
  } finally {
    await open.close().catch(() => core.log.warn("session.close_failed", { task: task.task_id }));
  }
}

/** The last moment at which the order can have been set going: the submission, or the end of its verification (MFA-6). */
async function lastPushAt(work: Work, submittedAt: number): Promise<number> {
  const endedAt = await verificationEndedAt(work.core.store.db, work.task.task_id);
  return Math.max(submittedAt, endedAt ?? submittedAt);
}

/** One hand-off at a time; when it has run out unused there is a new one (MFA-4). */
export async function askOnce(work: Work, route: RouteKind): Promise<void> {
  if (!(await hasLiveContinuation(work.core, work.core.store.db, work.task.continuation_ref)))
    await askSignIn(work, route);
}

/** Schedules the next reading of an unknown outcome. */
export async function again(work: Claimed, why: string): Promise<void> {
  const { core, task } = work;
  const next = nextReading(task, core.now());
  core.log.info("reconcile.again", { task: task.task_id, tries: next.tries, why });
  await core.store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("task")
      .set(next)
      .where("task_id", "=", task.task_id)
      .where("state", "=", "outcome_unknown")
      .where("fence", "=", task.fence)
      .executeTakeFirst();
    if (numUpdatedRows === 1n && next.review_at !== null) await tellReview(core, tx, task);
  });
}

export function readSubmitted(
  work: Claimed,
  row: { readonly submitted_at: number; readonly observed: Uint8Array },
): Submitted {
  return { submittedAt: row.submitted_at, observed: unseal(work, "observed", row.observed) };
}

function unseal(work: Claimed, name: "fingerprint" | "observed", sealed: Uint8Array): JsonObject {
  const value: unknown = JSON.parse(openText(work.core.sealer, `${name}:${work.task.task_id}`, sealed));
  return value as JsonObject;
}
