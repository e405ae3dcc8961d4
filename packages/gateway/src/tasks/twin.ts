import { TERMINAL_STATES } from "@countersign/profile";
import { type Digest, digestOf, type JsonObject } from "@countersign/wire";
import type { Tx } from "../store/store.ts";
import type { TaskRow } from "./tasks.ts";

/**
 * An agent that lost its memory asks for the same thing under a fresh key (lessons U02). While an equal wish for the
 * same account is unresolved, the later one stays `received` with `held_by` naming the earlier; when that one settles,
 * the next of those held goes on and the others wait for it (STA-7). Equal means: account, operation and parameters.
 */
export async function wishDigest(accountRef: string, operation: string, parameters: JsonObject): Promise<Digest> {
  return digestOf({ account_ref: accountRef, operation, parameters });
}

type Wish = Pick<TaskRow, "task_id" | "account_ref" | "wish_digest">;

/** The unresolved equal task that a new one has to wait for: one that runs before one that waits itself. */
export async function unresolvedTwin(tx: Tx, wish: Wish): Promise<string | undefined> {
  const twins = await twinsOf(tx, wish);
  return (twins.find((twin) => twin.held_by === null) ?? twins[0])?.task_id;
}

/** Does a held task still have to wait? If so it waits for the twin that runs now; otherwise it is the one that runs. */
export async function staysHeld(tx: Tx, task: TaskRow): Promise<boolean> {
  const running = (await twinsOf(tx, task)).find((twin) => twin.held_by === null);
  await tx
    .updateTable("task")
    .set(running === undefined ? { held_by: null } : { held_by: running.task_id, due_at: task.request_expires_at })
    .where("task_id", "=", task.task_id)
    .execute();
  return running !== undefined;
}

/** A settled task lets those look again that waited for it. */
export async function wakeHeld(tx: Tx, taskId: string, now: number): Promise<void> {
  await tx
    .updateTable("task")
    .set({ due_at: now })
    .where("held_by", "=", taskId)
    .where("state", "not in", TERMINAL_STATES)
    .execute();
}

async function twinsOf(tx: Tx, wish: Wish): Promise<readonly Pick<TaskRow, "task_id" | "held_by">[]> {
  if (wish.wish_digest === null) return [];
  return tx
    .selectFrom("task")
    .select(["task_id", "held_by"])
    .where("account_ref", "=", wish.account_ref)
    .where("wish_digest", "=", wish.wish_digest)
    .where("task_id", "<>", wish.task_id)
    .where("state", "not in", TERMINAL_STATES)
    .orderBy("created_at")
    .execute();
}
