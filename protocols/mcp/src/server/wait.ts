import type { Caller, GatewayPort, Refusal } from "@countersign/gateway";
import { isTerminal, type TaskState } from "@countersign/profile";
import type { JsonObject, Result } from "@countersign/wire";
import { objectAt } from "../json.ts";

/** Clients give up after a minute; no call of ours comes near it. */
export const WAIT_MS_MAX = 25_000;
const FIRST_LOOK_MS = 25;
const LAST_LOOK_MS = 500;
const SLOWER = 1.5;

export function stateOf(task: JsonObject): TaskState {
  return task["state"] as TaskState;
}

/** Somebody has to do something in the trusted interface before the task can go on. */
export function waitsForPerson(task: JsonObject): boolean {
  const state = stateOf(task);
  return (
    state === "approval_required" ||
    state === "authentication_required" ||
    (!isTerminal(state) && task["continuation_ref"] !== undefined)
  );
}

export function isSettled(task: JsonObject): boolean {
  return isTerminal(stateOf(task));
}

/** A read that goes on by itself: nothing runs until the next look. */
export function restsBetweenLooks(task: JsonObject): boolean {
  return objectAt(task, "watch")?.["next_look_at"] !== undefined;
}

export interface Wait {
  readonly port: GatewayPort;
  readonly caller: Caller;
  readonly taskId: string;
  /** Ends the wait, never the task (STA-5). */
  readonly signal: AbortSignal;
  readonly ms: number;
  readonly until: (task: JsonObject) => boolean;
  /** Told of each state that is seen. */
  readonly seen?: (task: JsonObject) => Promise<void>;
}

/**
 * Looks at the task until it is where `until` wants it, the time is up, or nobody listens any more: whenever a step of it
 * has ended here, and by the clock for what else may move it.
 */
export async function waitForTask(wait: Wait): Promise<Result<JsonObject, Refusal>> {
  const { port, caller, taskId } = wait;
  const end = performance.now() + Math.min(wait.ms, WAIT_MS_MAX);
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * SLOWER, LAST_LOOK_MS)) {
    const over = new AbortController();
    // From before the look: what ends during it is not missed.
    const ended = port.stepEnd(caller, taskId, over.signal);
    const task = await port.task(caller, taskId);
    if (task.ok) await wait.seen?.(task.value);
    const isDone = !task.ok || wait.until(task.value) || performance.now() + pause > end || wait.signal.aborted;
    if (!isDone) await Promise.race([ended, pauseUnlessAborted(pause, wait.signal)]);
    over.abort();
    if (isDone) return task;
  }
}

function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
