import type { AuthorityAnswer } from "@countersign/plugin";
import { type ActionRecord, actionRecord } from "@countersign/profile";
import { err, type Instant, type Json, ok, type Result } from "@countersign/wire";
import { z } from "zod";
import type { Core } from "../core.ts";
import { AUTHORITY_MS, CONSUME_KEY_CHARS_MAX, CONSUME_KEYS_MAX } from "../limits.ts";
import { taskCtx } from "../plugin-ctx.ts";
import type { Db } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { within } from "../time/within.ts";
import { type AuthorityProblem, countsAt, findEnrolment, parametersOf } from "./enrolments.ts";

/** A yes from an authority, with what has to be consumed when it is acted on. */
export interface Heard {
  readonly enrolmentRef: string;
  readonly keys: readonly string[];
}

const verdict = z.object({
  decision: z.enum(["approved", "denied"]).optional(),
  consume: z.array(z.object({ key: z.string().min(1).max(CONSUME_KEY_CHARS_MAX) })).max(CONSUME_KEYS_MAX),
});

/**
 * Asks an enrolled authority about one record, outside any transaction. Whatever it does wrong, the answer is no: an
 * authority that throws, hangs or answers something else has approved nothing.
 */
export async function hear(
  core: Core,
  task: TaskRow,
  record: ActionRecord,
  authority: string,
  evidence: Json,
): Promise<Result<Heard, AuthorityProblem>> {
  const owner = { tenantId: task.tenant_id, personId: task.person_id };
  const enrolment = await findEnrolment(core.store.db, owner, authority, task.operation, core.now());
  const known = core.authorities.get(authority);
  if (enrolment === undefined || known === undefined) return err("authority_not_enrolled");
  const signal = AbortSignal.timeout(AUTHORITY_MS);
  const ctx = taskCtx(core, {
    plugin: authority,
    ...owner,
    accountRef: task.account_ref,
    taskId: task.task_id,
    signal,
    progress: () => {},
  });
  const given = { parameters: parametersOf(enrolment), enrolledAt: enrolment.enrolled_at as Instant };
  let answer: Result<AuthorityAnswer, string>;
  try {
    // A copy: what an authority does to its record must not reach the gateway's.
    answer = await within(
      AUTHORITY_MS,
      known.verify(ctx, evidence, actionRecord.parse(structuredClone(record)), given),
    );
  } catch {
    core.log.warn("authority.failed", { authority, task: task.task_id });
    return err("authority_unavailable");
  }
  if (!answer.ok) {
    core.log.info("authority.refused", { authority, task: task.task_id });
    return err("evidence_refused");
  }
  const read = verdict.safeParse(answer.value);
  if (!read.success) {
    core.log.warn("authority.bad_verdict", { authority, task: task.task_id });
    return err("evidence_refused");
  }
  if (read.data.decision === "denied") return err("evidence_denied");
  if (read.data.decision !== "approved") return err("evidence_refused");
  return ok({ enrolmentRef: enrolment.enrolment_ref, keys: [...new Set(read.data.consume.map((c) => c.key))] });
}

/** Whether a yes that was heard still counts: its enrolment does, and nothing of it has been consumed. */
export async function heardProblem(
  db: Db,
  authority: string,
  heard: Heard,
  now: number,
): Promise<Extract<AuthorityProblem, "authority_not_enrolled" | "evidence_used"> | undefined> {
  const enrolment = await db
    .selectFrom("authority_enrolment")
    .select(["enrolled_at", "removed_at"])
    .where("enrolment_ref", "=", heard.enrolmentRef)
    .executeTakeFirst();
  if (enrolment === undefined || !countsAt(enrolment, now)) return "authority_not_enrolled";
  if (heard.keys.length === 0) return undefined;
  const used = await db
    .selectFrom("authority_use")
    .select("key")
    .where("authority", "=", authority)
    .where("key", "in", heard.keys)
    .executeTakeFirst();
  return used === undefined ? undefined : "evidence_used";
}
