import { sql } from "kysely";
import type { Core } from "../core.ts";
import { sequence } from "../evidence/sequencer.ts";
import { LEASE_END_MS, LEASE_MS, LEASE_RENEW_MS, WORKER_CEILING_MS, WORKERS_MAX } from "../limits.ts";
import type { Tx } from "../store/store.ts";
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
  /** Steps that have ended, and whose leases are given back with the next look: one commit for both. */
  let ended: TaskRow[] = [];
  let givingBack: NodeJS.Timeout | undefined;
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  let again = false;
  let logging: Promise<void> | undefined;
  let logAgain = false;
  let stopped = false;

  /** The store is away: the lease runs out by itself, and whoever then takes the task fences this process off. */
  const unreached = (error: unknown): void => {
    core.log.warn("worker.lease_not_written", { error: error instanceof Error ? error.message : "unknown" });
  };

  const run = async (task: TaskRow, outlasted: () => void): Promise<void> => {
    const renew = setInterval(() => void extendLease(core, task, owner).catch(unreached), LEASE_RENEW_MS);
    try {
      await processTask(core, task, abort.signal, outlasted);
    } catch (error) {
      core.log.error("worker.step_crashed", {
        task: task.task_id,
        error: error instanceof Error ? error.message : "unknown",
      });
    } finally {
      clearInterval(renew);
    }
  };

  const start = (task: TaskRow): void => {
    // What cannot be ended keeps its lease, which is renewed for as long as it runs; its place is for others.
    const outlasted = (): void => {
      core.log.error("worker.step_outlasts", { task: task.task_id });
      running.delete(work);
      poke();
    };
    const work = run(task, outlasted).finally(() => {
      const wasFull = running.size >= WORKERS_MAX;
      running.delete(work);
      ended.push(task);
      core.steps.ended({ clientId: task.client_id, taskId: task.task_id });
      // Its receipt is signed at once; its lease can wait a moment for company, unless others wait for the place.
      log();
      if (wasFull) poke();
      else if (!stopped) givingBack ??= setTimeout(poke, LEASE_END_MS);
    });
    running.add(work);
  };

  /** Gives ended leases back and takes what is due, in one transaction. */
  const exchange = async (now: number): Promise<Taken> => {
    clearTimeout(givingBack);
    givingBack = undefined;
    const given = ended;
    ended = [];
    const room = stopped ? 0 : WORKERS_MAX - running.size;
    try {
      const taken = await core.store.transaction(async (tx) => {
        for (const task of given) await giveBack(tx, task, owner, now);
        return take(core, tx, owner, now, room);
      });
      // Another task of the account may have waited for one of them, in another process too.
      if (given.length > 0) core.store.hint();
      return taken;
    } catch (error) {
      ended.push(...given);
      unreached(error);
      throw error;
    }
  };

  const turn = async (): Promise<void> => {
    let lookedAt = core.now();
    let isMore = true;
    while (isMore && (running.size < WORKERS_MAX || ended.length > 0)) {
      lookedAt = core.now();
      const taken = await exchange(lookedAt);
      for (const task of taken.tasks) start(task);
      isMore = !stopped && taken.isMore && running.size < WORKERS_MAX;
    }
    log();
    if (!stopped) arm(await nextDelay(core, lookedAt));
  };

  /** Has waiting records logged, beside the steps: whoever looks for due tasks does not wait for signatures. */
  function log(): void {
    if (logging !== undefined) {
      logAgain = true;
      return;
    }
    logging = core.store
      .as("system", async () => {
        while (!stopped && (await sequence(core)) > 0);
      })
      .catch(failed)
      .finally(() => {
        logging = undefined;
        if (!logAgain) return;
        logAgain = false;
        if (!stopped) log();
      });
  }

  const failed = (error: unknown): void => {
    core.log.error("worker.turn_failed", { error: error instanceof Error ? error.message : "unknown" });
    arm(WORKER_CEILING_MS);
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
      .catch(failed)
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
      clearTimeout(givingBack);
      const atRest = Promise.all([...running, turning, logging]).then(() => {
        if (ended.length > 0) return core.store.as("system", () => exchange(core.now())).then(() => {}, unreached);
      });
      await Promise.race([
        atRest,
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

interface Taken {
  readonly tasks: readonly TaskRow[];
  /** There may be more that is due. */
  readonly isMore: boolean;
}

/**
 * Takes the longest-due tasks, each under a lease with a fencing number that only grows. Two tasks of one account never
 * run at the same time, in whatever process: they would share the account's cart. Of two claims that did not see each
 * other one is run again, since transactions of the store are serialisable.
 */
async function take(core: Core, tx: Tx, owner: string, now: number, room: number): Promise<Taken> {
  if (room <= 0) return { tasks: [], isMore: false };
  // Rows that other processes are just taking are passed over; SQLite has one process and no such words.
  const passingOver = core.store.kind === "postgres" ? sql`for update of t skip locked` : sql``;
  // Asked more often than anything else: written out, for building it costs more than running it.
  const { rows: due } = await sql<Pick<TaskRow, "task_id" | "account_ref">>`
    select t.task_id, t.account_ref from task as t
    where t.due_at <= ${now} and (t.lease_until is null or t.lease_until <= ${now})
      and not exists (
        select 1 from task as o
        where o.account_ref = t.account_ref and o.task_id <> t.task_id and o.lease_until > ${now})
    order by t.due_at limit ${room} ${passingOver}`.execute(tx);
  const oneEach = new Map(due.toReversed().map((task) => [task.account_ref, task.task_id]));
  if (oneEach.size === 0) return { tasks: [], isMore: false };
  const tasks = await tx
    .updateTable("task")
    .set({ lease_owner: owner, lease_until: now + LEASE_MS, fence: sql`fence + 1` })
    .where("task_id", "in", [...oneEach.values()])
    .returningAll()
    .execute();
  return { tasks, isMore: due.length === room };
}

/** Takes the longest-due task. */
export async function claim(core: Core, owner: string, now: number): Promise<TaskRow | undefined> {
  const { tasks } = await core.store.transaction((tx) => take(core, tx, owner, now, 1));
  return tasks[0];
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
  await core.store.transaction((tx) => giveBack(tx, task, owner, core.now()));
}

async function giveBack(tx: Tx, task: TaskRow, owner: string, now: number): Promise<void> {
  await tx
    .updateTable("task")
    .set({ lease_owner: null, lease_until: null, due_at: putOff(task, now) })
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
function putOff(task: TaskRow, now: number) {
  const later = now + WORKER_CEILING_MS;
  return sql<
    number | null
  >`case when due_at = ${task.due_at} and version = ${task.version} then ${later} else due_at end`;
}
