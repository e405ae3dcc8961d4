import type { Core } from "../core.ts";
import type { TaskRow } from "../tasks/tasks.ts";

const LOOK_AGAIN_MS = 1_000;

/**
 * Append before acting (approval-evidence section 3): whether the approval that a commit rests on has its place in the
 * log. While it has none the task is looked at again later, for as long as the approval lives; nothing is sent.
 */
export async function approvalIsLogged(core: Core, task: TaskRow): Promise<boolean> {
  if (task.approval_ref === null || (await core.sequencer.hasLogged(task.approval_ref))) return true;
  core.log.warn("commit.approval_not_logged", { task: task.task_id });
  await core.store.db
    .updateTable("task")
    .set({ due_at: core.now() + LOOK_AGAIN_MS })
    .where("task_id", "=", task.task_id)
    .where("version", "=", task.version)
    .where("fence", "=", task.fence)
    .execute();
  return false;
}
