import { isTerminal } from "@countersign/profile";
import { assert, err, ok, type Result } from "@countersign/wire";
import { z } from "zod";
import { supersede } from "../approval/freeze.ts";
import type { Core, Owner } from "../core.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import { clearSuspicion } from "../execution/cleared.ts";
import { effectOf, findTask, moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";

/** What the holder saw at the site, of a task that a restored store cannot settle by itself (STA-8). */
export const lookedBody = z.strictObject({ found: z.enum(["done", "not_done"]) });
export type Looked = z.output<typeof lookedBody>;

/** Whether a task waits for the holder's word: the site could not be read, or had nothing to be looked for. */
export function asksWhatWasSeen(task: TaskRow): boolean {
  return task.suspect === 1 && task.submitted === 0 && task.review_at !== null && !isTerminal(task.state);
}

/**
 * The holder's own word, once they were asked to look. `not_done`: the task goes on and everything is judged anew.
 * `done`: it is closed, and never as a success, since the gateway itself has seen nothing.
 * `conflict`: nothing was asked of them, or it is settled.
 */
export async function takeLooked(
  core: Core,
  owner: Owner,
  taskId: string,
  looked: Looked,
): Promise<Result<TaskRow, "not_found" | "conflict">> {
  return core.store.transaction(async (tx) => {
    const task = await findTask(tx, owner, taskId);
    if (task === undefined) return err("not_found");
    if (!asksWhatWasSeen(task)) return err("conflict");
    if (looked.found === "not_done") {
      await clearSuspicion(core, tx, task);
    } else {
      const closed = { type: "cancelled", reason: "closed_by_restore" } as const;
      const changes = { due_at: null, review_at: null };
      const moved = await moveTask(tx, task, effectOf(core.catalogue, task), closed, core.now(), changes);
      assert(moved.ok, "a task that has not been submitted can be closed");
      await supersede(tx, taskId, "stopped");
      await insertReceipt(core, tx, moved.value);
    }
    core.poke();
    return ok(await readTask(tx, taskId));
  });
}
