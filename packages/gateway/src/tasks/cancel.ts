import { isTerminal } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { supersede } from "../approval/freeze.ts";
import type { Core, Owner } from "../core.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import { effectOf, findTask, moveTask, readTask, type TaskRow } from "./tasks.ts";

/**
 * Withdraws a task that has not passed the boundary. It is no promise to undo: a submitted or settled task is
 * answered as it is, and the answer's state says which it was (STA-5).
 */
export async function withdraw(
  core: Core,
  owner: Owner,
  taskId: string,
  by: "agent" | "holder",
): Promise<Result<TaskRow, "not_found">> {
  return core.store.transaction(async (tx) => {
    const task = await findTask(tx, owner, taskId);
    if (task === undefined) return err("not_found");
    if (task.submitted === 1 || isTerminal(task.state)) return ok(task);
    const reason = by === "agent" ? "withdrawn_by_agent" : "withdrawn_by_holder";
    const moved = await moveTask(tx, task, effectOf(core.catalogue, task), { type: "cancelled", reason }, core.now(), {
      due_at: null,
    });
    if (!moved.ok) return ok(task);
    await supersede(tx, taskId, "withdrawn");
    const settled = await readTask(tx, taskId);
    await insertReceipt(core, tx, settled);
    core.poke();
    return ok(settled);
  });
}
