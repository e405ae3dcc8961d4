import { sql } from "kysely";
import type { Core } from "../core.ts";
import { sequence } from "../evidence/sequencer.ts";
import { LEASE_MS, LEASE_RENEW_MS, WORKER_CEILING_MS, WORKERS_MAX } from "../limits.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { processTask } from "./process.ts";

/** The loop that looks for due tasks. Knocking (`poke`) only makes it look sooner: the rows decide. */
export interface Worker {
  start(): Promise<void>;
  poke(): void;
  /** Lets running steps end, for at most `graceMs`; what is left is found again by its row. */
  stop(graceMs: number): Promise<void>;
}

export interface WorkerDeps {
  readonly core: Core;
  /** Names this process in leases. */
  readonly owner: string;
}

export function createWorker({ core, owner }: WorkerDeps): Worker {
  const running = new Set<Promise<void>>();
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  /** The store is away: the lease runs out by itself, and whoever then takes the task fences this process off. */
  const unreached = (error: unknown): void => {
    core.log.warn("worker.lease_not_written", { error: error instanceof Error ? error.message : "unknown" });
  };

  const run = async (task: TaskRow): Promise<void> => {
    const renew = setInterval(() => void extendLease(core, task, owner).catch(unreached), LEASE_RENEW_MS);
    try {
      await processTask(core, task, abort.signal);
    } catch (error) {
      core.log.error("worker.step_crashed", {
        task: task.task_id,
        error: error instanceof Error ? error.message : "unknown",
      });
    } finally {
      clearInterval(renew);
      await releaseLease(core, task, owner).catch(unreached);
    }
  };

  const turn = async (): Promise<void> => {
    let lookedAt = core.now();
    while (!stopped && running.size < WORKERS_MAX) {
      lookedAt = core.now();
      const task = await claim(core, owner, lookedAt);
      if (task === undefined) break;
      const work = run(task).finally(() => {
        running.delete(work);
        poke();
        // Another task of the account may have waited for this one, in another process too.
        core.store.hint();
      });
      running.add(work);
    }
    while (!stopped && (await sequence(core)) > 0);
    arm(await nextDelay(core, lookedAt));
  };

  const arm = (delayMs: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(poke, delayMs);
  };

  function poke(): void {
    if (stopped) return;
    if (turning !== undefined) {
      again = true;
      return;
    }
    // Whoever knocks, it is the gateway that looks, for everybody.
    turning = core.store
      .as("system", turn)
      .catch((error: unknown) => {
        core.log.error("worker.turn_failed", { error: error instanceof Error ? error.message : "unknown" });
        arm(WORKER_CEILING_MS);
      })
      .finally(() => {
        turning = undefined;
        if (again) {
          again = false;
          poke();
        }
      });
  }

  return {
    async start() {
      await core.store.as("system", () => takeOver(core));
      poke();
    },
    poke,
    async stop(graceMs) {
      stopped = true;
      clearTimeout(timer);
      let grace: NodeJS.Timeout | undefined;
      const ended = Promise.all([...running, turning]).then(() => {});
      await Promise.race([
        ended,
        new Promise<void>((resolve) => {
          grace = setTimeout(resolve, graceMs);
        }),
      ]);
      clearTimeout(grace);
      abort.abort();
    },
  };
}

/** What an earlier life of this store left in the middle is due again at once. */
export async function takeOver(core: Core): Promise<void> {
  const now = core.now();
  if (core.store.kind === "sqlite") {
    // One process owns this store: leases of an earlier life are nobody's. Elsewhere their owner may be well.
    await core.store.db
      .updateTable("task")
      .set({ lease_owner: null, lease_until: null })
      .where("lease_owner", "is not", null)
      .execute();
  }
  await core.store.db
    .updateTable("task")
    .set({ due_at: now })
    .where("state", "in", ["received", "validating", "executing"])
    .where("due_at", "is", null)
    .where((w) => w.or([w("lease_until", "is", null), w("lease_until", "<=", now)]))
    .execute();
}

/**
 * Takes the longest-due task, under a lease with a fencing number that only grows. Two tasks of one account never run
 * at the same time, in whatever process: they would share the account's cart. Of two claims that did not see each
 * other one is run again, since transactions of the store are serialisable.
 */
export async function claim(core: Core, owner: string, now: number): Promise<TaskRow | undefined> {
  const others = core.store.kind === "postgres";
  return core.store.transaction((tx) =>
    tx
      .updateTable("task")
      .set({ lease_owner: owner, lease_until: now + LEASE_MS, fence: sql`fence + 1` })
      .where("task_id", "=", (eb) =>
        eb
          .selectFrom("task as t")
          .select("t.task_id")
          .where("t.due_at", "<=", now)
          .where((w) => w.or([w("t.lease_until", "is", null), w("t.lease_until", "<=", now)]))
          .where((w) =>
            w.not(
              w.exists(
                w
                  .selectFrom("task as o")
                  .select("o.task_id")
                  .whereRef("o.account_ref", "=", "t.account_ref")
                  .whereRef("o.task_id", "<>", "t.task_id")
                  .where("o.lease_until", ">", now),
              ),
            ),
          )
          .orderBy("t.due_at")
          .limit(1)
          // Rows that other processes are just taking are passed over; SQLite has one process and no such words.
          .$if(others, (query) => query.forUpdate("t").skipLocked()),
      )
      .returningAll()
      .executeTakeFirst(),
  );
}

/** A lease that has run out is not revived: another task of the account may run by now. */
export async function extendLease(core: Core, task: TaskRow, owner: string): Promise<void> {
  const now = core.now();
  await core.store.db
    .updateTable("task")
    .set({ lease_until: now + LEASE_MS })
    .where("task_id", "=", task.task_id)
    .where("lease_owner", "=", owner)
    .where("fence", "=", task.fence)
    .where("lease_until", ">", now)
    .execute();
}

export async function releaseLease(core: Core, task: TaskRow, owner: string): Promise<void> {
  await core.store.db
    .updateTable("task")
    .set({ lease_owner: null, lease_until: null, due_at: putOff(core, task) })
    .where("task_id", "=", task.task_id)
    .where("lease_owner", "=", owner)
    .where("fence", "=", task.fence)
    .execute();
}

/** What was due at `lookedAt` and could not be taken is knocked for when its account is free. */
async function nextDelay(core: Core, lookedAt: number): Promise<number> {
  const row = await core.store.db
    .selectFrom("task")
    .select(({ fn }) => fn.min("due_at").as("due"))
    .where("due_at", ">", lookedAt)
    .executeTakeFirst();
  const due = row?.due ?? null;
  return due === null ? WORKER_CEILING_MS : Math.min(Math.max(due - core.now(), 0), WORKER_CEILING_MS);
}

/** A step that neither moved its task nor set another time must not make the loop spin: it is looked at a little later. */
function putOff(core: Core, task: TaskRow) {
  const later = core.now() + WORKER_CEILING_MS;
  return sql<
    number | null
  >`case when due_at = ${task.due_at} and version = ${task.version} then ${later} else due_at end`;
}
