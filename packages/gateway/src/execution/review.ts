import type { Core } from "../core.ts";
import { tell } from "../notify/tell.ts";
import type { Db } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";

/** Only the person can find out what became of it: they are told, once a task, in the transaction that says so. */
export async function tellReview(
  core: Core,
  tx: Db,
  task: Pick<TaskRow, "task_id" | "tenant_id" | "person_id">,
): Promise<void> {
  await tell(core, tx, { tenantId: task.tenant_id, personId: task.person_id }, "review", task.task_id);
}
