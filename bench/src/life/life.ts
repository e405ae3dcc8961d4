import { actionRecord } from "@countersign/profile";
import { assert } from "@countersign/wire";
import { decide, findAction } from "../../../packages/gateway/src/approval/decide.ts";
import { type LifeWorld, orderBytes, type Seat } from "./world.ts";

const SESSION = "bench-session";

/** Makes a task and brings it to the person; answers its id. */
export async function toDecision(world: LifeWorld, seat: Seat): Promise<string> {
  const submitted = await world.port.submit(seat.caller, orderBytes(world.core, seat));
  assert(submitted.ok, `a request is taken: ${submitted.ok ? "" : submitted.reason.reason}`);
  const taskId = String(submitted.value.task["task_id"]);
  await world.watch.until(taskId, "approval_required");
  return taskId;
}

/** A whole life: create, decision, boundary, outcome, signed receipt. Answers how long it took, in milliseconds. */
export async function live(world: LifeWorld, seat: Seat): Promise<number> {
  const from = performance.now();
  const taskId = await toDecision(world, seat);
  const task = await world.core.store.db
    .selectFrom("task")
    .select("action_id")
    .where("task_id", "=", taskId)
    .executeTakeFirstOrThrow();
  const actionId = task.action_id ?? "";
  const found = await findAction(world.core, world.owner, actionId);
  assert(found !== undefined, "the person finds the action");
  const record = actionRecord.parse(JSON.parse(found.action.record));
  const decided = await decide(world.core, world.owner, SESSION, actionId, {
    decision: "approved",
    action_digest: found.action.digest,
    surface: { version: "bench", display_digest: record.private["display_text"] ?? "" },
  });
  assert(decided.ok, "the decision is taken");
  await world.watch.until(taskId, "signed");
  return performance.now() - from;
}

export interface LifeRate {
  readonly perSecond: number;
  /** Processor time of this process for one life, which a busy neighbour changes less than the rate. */
  readonly cpuMsEach: number;
  readonly timesMs: readonly number[];
}

/** Lives one after another on each seat, all seats at once, for `seconds`. */
export async function liveFor(world: LifeWorld, seats: readonly Seat[], seconds: number): Promise<LifeRate> {
  const before = world.site.orders();
  const rate = await rateOf(
    seats.map((seat) => () => world.core.store.as(world.owner, () => live(world, seat))),
    seconds,
  );
  assert(world.site.orders() - before === rate.timesMs.length, "the destination took one order a life");
  return rate;
}

/** Repeats each of `lives` for `seconds`, all at once. */
export async function rateOf(lives: readonly (() => Promise<number>)[], seconds: number): Promise<LifeRate> {
  const timesMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const from = performance.now();
  const end = from + seconds * 1_000;
  await Promise.all(
    lives.map(async (one) => {
      while (performance.now() < end) timesMs.push(await one());
    }),
  );
  const took = performance.now() - from;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMsEach = (user + system) / 1_000 / timesMs.length;
  return { perSecond: (timesMs.length / took) * 1_000, cpuMsEach, timesMs };
}
