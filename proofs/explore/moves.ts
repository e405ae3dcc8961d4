import { isTerminal, type TaskState } from "@countersign/profile";
import { AssertionFailed } from "@countersign/wire";
import type { MachineEvent } from "../../packages/gateway/src/machine/step.ts";
import { type Bounds, IDLE, NEVER, NOBODY, type TaskModel, type WorkerModel, type World } from "./model.ts";
import type { Rules } from "./rules.ts";

/** One thing that can happen next, in words, and the world after it. A violation ends the search. */
export interface Next {
  readonly said: string;
  readonly world: World;
  readonly violation?: string;
  /** The worker that crossed the boundary in this move. */
  readonly crossedBy?: number;
}

export interface Setting {
  readonly bounds: Bounds;
  readonly rules: Rules;
}

export function taskOf(world: World, index: number): TaskModel {
  const task = world.tasks[index];
  if (task === undefined) throw new Error("no such task");
  return task;
}

export function withTask(world: World, index: number, change: Partial<TaskModel>): World {
  return { ...world, tasks: world.tasks.map((task, i) => (i === index ? { ...task, ...change } : task)) };
}

export function withWorker(world: World, index: number, change: Partial<WorkerModel>): World {
  return { ...world, workers: world.workers.map((worker, i) => (i === index ? { ...worker, ...change } : worker)) };
}

export function live(task: TaskModel): boolean {
  return task.state !== "none" && !isTerminal(task.state);
}

/**
 * A transition of the machine, by the shipped `step` alone; the version grows, so every other worker's copy is stale.
 * Undefined when there is none, as for the gateway.
 */
export function moved(
  { rules }: Setting,
  world: World,
  index: number,
  by: number,
  event: MachineEvent,
  change: Partial<TaskModel> = {},
): World | undefined {
  const task = taskOf(world, index);
  if (task.state === "none") return undefined;
  const next = rules.step({ state: task.state, effect: "commit", submitted: task.submitted }, event);
  if (!next.ok) return undefined;
  const to: TaskState = next.value.to;
  const tasks = world.tasks.map((t, i) =>
    i === index
      ? {
          ...t,
          ...change,
          state: to,
          submitted: next.value.submitted,
          ...(isTerminal(to) ? { due: NEVER } : {}),
        }
      : t,
  );
  const workers = world.workers.map((w, i) =>
    i !== by && w.at !== "idle" && w.task === index ? { ...w, fresh: false } : w,
  );
  return { ...world, tasks, workers };
}

/** As `moved`, but an assertion of the machine's counts as a finding. */
export function tried(said: string, world: World, make: () => World | Next | undefined): Next | undefined {
  try {
    const after = make();
    return after === undefined ? undefined : "said" in after ? after : { said, world: after };
  } catch (error) {
    if (error instanceof AssertionFailed) return { said, world, violation: `the machine asserts: ${error.message}` };
    throw error;
  }
}

/** The step is over: the lease is given back, if it is still this worker's. */
export function released(world: World, w: number): World {
  const worker = world.workers[w] ?? IDLE;
  const task = taskOf(world, worker.task);
  const freed =
    worker.mine && task.lease === w ? withTask(world, worker.task, { lease: NOBODY, leaseUntil: NEVER }) : world;
  return withWorker(freed, w, IDLE);
}

export function holds(setting: Setting, worker: WorkerModel): boolean {
  return (worker.mine && worker.fresh) || !setting.rules.writesUnderFence;
}

/** Ends a task before the boundary, with the record that lived. */
export function stopped(setting: Setting, world: World, w: number, event: MachineEvent): World | undefined {
  const worker = world.workers[w] ?? IDLE;
  const task = taskOf(world, worker.task);
  const liveRecord = task.action === "pending" || task.action === "approved";
  const action = liveRecord ? ({ action: event.type === "expired" ? "expired" : "superseded" } as const) : {};
  return moved(setting, world, worker.task, w, event, action);
}

export function signInAsked(setting: Setting, world: World, w: number): World {
  const { bounds } = setting;
  const worker = world.workers[w] ?? IDLE;
  if (!holds(setting, worker)) return released(world, w);
  const lost: World = { ...world, connected: false };
  const task = taskOf(world, worker.task);
  if (task.submitted) return released(lost, w);
  const due = Math.min(world.clock + bounds.recordTicks, bounds.requestUntil);
  return released(moved(setting, lost, worker.task, w, { type: "sign_in_needed" }, { due }) ?? lost, w);
}
