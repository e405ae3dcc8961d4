import { isTerminal, type WithdrawnView } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { supersede } from "../approval/freeze.ts";
import type { Core, Owner } from "../core.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import { insertRevocation } from "../evidence/revocations.ts";
import type { Tx } from "../store/store.ts";
import { effectOf, findTask, moveTask, readTask, type TaskRow } from "./tasks.ts";

/**
 * What a withdrawal did: it ended the task, or came after the boundary, or after the end. `being_read_back`: the store
 * was restored, and whether the task was submitted is being found out (STA-8).
 */
export type Withdrawal = WithdrawnView["withdrawal"];

export interface Withdrawn {
  readonly task: TaskRow;
  readonly withdrawal: Withdrawal;
}

/**
 * Withdraws a task that has not passed the boundary. It is no promise to undo: a submitted or settled task is
 * answered as it is, and the answer says which it was (STA-5).
 */
export async function withdraw(
  core: Core,
  owner: Owner,
  taskId: string,
  by: "agent" | "holder",
): Promise<Result<Withdrawn, "not_found">> {
  return core.store.transaction(async (tx) => {
    const task = await findTask(tx, owner, taskId);
    if (task === undefined) return err("not_found");
    if (isTerminal(task.state)) return ok({ task, withdrawal: "already_settled" });
    if (task.submitted === 1) return ok({ task, withdrawal: "already_submitted" });
    if (task.suspect === 1) return ok({ task, withdrawal: "being_read_back" });
    const reason = by === "agent" ? "withdrawn_by_agent" : "withdrawn_by_holder";
    const moved = await moveTask(tx, task, effectOf(core.catalogue, task), { type: "cancelled", reason }, core.now(), {
      due_at: null,
    });
    if (!moved.ok) throw new Error("a task that has not been submitted can be withdrawn");
    await revokeApproval(core, tx, task);
    await supersede(tx, taskId, "withdrawn");
    const settled = await readTask(tx, taskId);
    await insertReceipt(core, tx, settled);
    core.poke();
    return ok({ task: settled, withdrawal: "withdrawn" });
  });
}

/** An approval that was given and not yet acted on counts no more, and the log says since when. */
async function revokeApproval(core: Core, tx: Tx, task: TaskRow): Promise<void> {
  const given = await tx
    .selectFrom("action")
    .innerJoin("approval", "approval.action_id", "action.action_id")
    .select("approval.approval_ref")
    .where("action.task_id", "=", task.task_id)
    .where("action.status", "=", "approved")
    .executeTakeFirst();
  if (given === undefined) return;
  const { approval_ref: ref } = given;
  await insertRevocation(core, tx, { what: "approval", ref, at: core.now(), tenantId: task.tenant_id });
}
