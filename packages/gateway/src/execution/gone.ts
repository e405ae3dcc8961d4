import { assert } from "@countersign/wire";
import { supersede } from "../approval/freeze.ts";
import type { Core } from "../core.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import type { MachineEvent } from "../machine/step.ts";
import { effectOf, moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { afterCrash } from "./after-crash.ts";
import { again } from "./reconcile.ts";
import { lookAgain } from "./suspect.ts";

const GONE = "this build does not know its destination or operation";

/**
 * A task whose destination, operation or parameters this build does not know. Nothing of it can be done: what has not
 * passed the boundary ends here, with its receipt; what may have happened stays unknown, is looked at again like any
 * other reading, in case a later build knows it, and the person is asked once (STA-3).
 */
export async function runGone(core: Core, task: TaskRow): Promise<void> {
  const claimed = { core, task };
  core.log.error("task.unloadable", { task: task.task_id, operation: task.operation });
  if (task.state === "outcome_unknown") return again(claimed, GONE);
  if (task.submitted === 1) return afterCrash(claimed);
  if (task.suspect === 1) return lookAgain(claimed, GONE);
  await end(core, task);
}

async function end(core: Core, task: TaskRow): Promise<void> {
  const effect = effectOf(core.catalogue, task);
  const now = core.now();
  const event: MachineEvent =
    now >= task.request_expires_at
      ? { type: "expired", reason: "request_expired" }
      : { type: "failed", reason: "site_gap" };
  await core.store.transaction(async (tx) => {
    let row = await readTask(tx, task.task_id);
    if (row.version !== task.version || row.fence !== task.fence) return;
    const go = async (step: MachineEvent): Promise<void> => {
      const moved = await moveTask(tx, row, effect, step, now, { due_at: null });
      assert(moved.ok, "a task that has not been submitted can be stopped");
      row = moved.value;
    };
    if (row.state === "received" && event.type === "failed") await go({ type: "checks_begun" });
    await go(event);
    await supersede(tx, task.task_id, event.type === "expired" ? "expired" : "stopped");
    await insertReceipt(core, tx, row);
  });
}
