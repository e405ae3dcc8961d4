import { assert } from "@countersign/wire";
import type { Core } from "../core.ts";
import type { Tx } from "../store/store.ts";
import { effectOf, moveTask, type TaskRow } from "../tasks/tasks.ts";

/**
 * It was not done: the task of a restored store goes on where the backup left it (STA-8), and everything is judged anew.
 * One that waited for a sign-in goes on with it when the person is signed in by now; otherwise its time is set, so that
 * it ends with its hand-off or its request.
 */
export async function clearSuspicion(core: Core, tx: Tx, task: TaskRow): Promise<void> {
  const now = core.now();
  const clear = { suspect: 0, tries: 0, review_at: null };
  if (task.state === "authentication_required" && (await isSignedIn(tx, task))) {
    const changes = { ...clear, continuation_ref: null, due_at: now };
    const moved = await moveTask(tx, task, effectOf(core.catalogue, task), { type: "signed_in" }, now, changes);
    assert(moved.ok, "a task that waits for a sign-in can go on");
    return;
  }
  const dueAt = task.state === "authentication_required" ? await handOffEndsAt(tx, task, now) : now;
  await tx
    .updateTable("task")
    .set({ ...clear, due_at: dueAt })
    .where("task_id", "=", task.task_id)
    .where("version", "=", task.version)
    .execute();
}

/** By the route of its hand-off; where there is none any more, by any. */
async function isSignedIn(tx: Tx, task: TaskRow): Promise<boolean> {
  const connected = await tx
    .selectFrom("connection")
    .select("route")
    .where("account_ref", "=", task.account_ref)
    .where("state", "=", "connected")
    .execute();
  const handOff = await tx
    .selectFrom("continuation")
    .select("route")
    .where("continuation_ref", "=", task.continuation_ref ?? "")
    .executeTakeFirst();
  return handOff === undefined ? connected.length > 0 : connected.some(({ route }) => route === handOff.route);
}

async function handOffEndsAt(tx: Tx, task: TaskRow, now: number): Promise<number> {
  const living = await tx
    .selectFrom("continuation")
    .select("expires_at")
    .where("continuation_ref", "=", task.continuation_ref ?? "")
    .where("completed_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return Math.min(living?.expires_at ?? task.request_expires_at, task.request_expires_at);
}
