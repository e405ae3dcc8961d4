import { assert } from "@countersign/wire";
import { settleLost } from "./outcome.ts";
import { readSubmitted } from "./reconcile.ts";
import { stillWaits } from "./verify.ts";
import type { Claimed } from "./work.ts";

/**
 * A submission row without an outcome: it waits for the person's verification (MFA-6), or the process died, or lost its
 * lease, after the crossing. It may have happened.
 */
export async function afterCrash(work: Claimed): Promise<void> {
  if (await stillWaits(work)) return;
  const row = await work.core.store.db
    .selectFrom("submission")
    .selectAll()
    .where("task_id", "=", work.task.task_id)
    .executeTakeFirst();
  assert(row !== undefined, "a submitted task has a submission");
  await settleLost(work, readSubmitted(work, row));
}
