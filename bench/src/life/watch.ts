import type { Core } from "../../../packages/gateway/src/core.ts";

/** How often is looked when nothing said that anything changed. */
const LOOK_AGAIN_MS = 50;

interface Waiter {
  readonly reached: (state: string, signed: boolean) => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface Watch {
  /** Says that something of this task is about to change. */
  near(taskId: string): void;
  /** Resolves once the stored task is in `state`; `signed` also asks for the signed receipt. */
  until(taskId: string, state: "approval_required" | "signed"): Promise<void>;
  close(): void;
}

/**
 * Tells when a stored task has come to a state. It looks after commits, and only at tasks that the destination said are
 * near, so that looking costs next to nothing beside what is measured. The measured code is not changed for it.
 */
export function watchTasks(core: Core): Watch {
  const waiting = new Map<string, Waiter>();
  const nearby = new Set<string>();
  let looking = false;
  let again = false;

  const lookAt = async (taskId: string): Promise<void> => {
    const waiter = waiting.get(taskId);
    if (waiter === undefined) return;
    const task = await core.store.db
      .selectFrom("task")
      .select(["state", "reason"])
      .where("task_id", "=", taskId)
      .executeTakeFirstOrThrow();
    const settled = !["received", "validating", "approval_required", "executing"].includes(task.state);
    const leaf = settled
      ? await core.store.db
          .selectFrom("leaf")
          .select("jws")
          .where("task_id", "=", taskId)
          .where("kind", "=", "receipt")
          .executeTakeFirst()
      : undefined;
    const signed = leaf !== undefined && leaf.jws !== null;
    if (settled && task.state !== "succeeded") waiter.reject(new Error(`the task is ${task.state}: ${task.reason}`));
    if (!waiter.reached(task.state, signed)) return;
    waiting.delete(taskId);
    nearby.delete(taskId);
    waiter.resolve();
  };

  const look = (): void => {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    setImmediate(async () => {
      do {
        again = false;
        for (const taskId of [...nearby]) await core.store.as("system", () => lookAt(taskId));
      } while (again);
      looking = false;
    });
  };

  const { transaction } = core.store;
  Object.assign(core.store, {
    transaction: async (...args: Parameters<typeof transaction>) => {
      const result = await transaction(...args);
      if (nearby.size > 0) look();
      return result;
    },
  });
  const timer = setInterval(() => nearby.size > 0 && look(), LOOK_AGAIN_MS);
  return {
    near: (taskId) => void nearby.add(taskId),
    until: (taskId, state) =>
      new Promise((resolve, reject) => {
        const reached = (now: string, signed: boolean) => (state === "signed" ? signed : now === state);
        waiting.set(taskId, { reached, resolve, reject });
        look();
      }),
    close: () => clearInterval(timer),
  };
}
