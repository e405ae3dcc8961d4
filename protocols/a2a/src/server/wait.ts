import type { Refusal } from "@countersign/gateway";
import type { Result } from "@countersign/wire";
import type { Call } from "./call.ts";
import { type GatewayTask, isOver } from "./task-view.ts";

const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 500;
const SLOWER = 1.5;

/** Looks again and again, more slowly each time; `restart` makes the next look an early one. */
export class Pace {
  #pause = FIRST_LOOK_MS;

  restart(): void {
    this.#pause = FIRST_LOOK_MS;
  }

  async next(signal: AbortSignal): Promise<void> {
    const pause = this.#pause;
    this.#pause = Math.min(pause * SLOWER, LAST_LOOK_MS);
    await pauseUnlessAborted(pause, signal);
  }
}

/** Looks at the task until it is where `until` wants it, `ms` are over, or nobody listens any more: none of it ends the task. */
export async function waitForTask(
  call: Call,
  taskId: string,
  wait: { readonly ms: number; readonly until: (task: GatewayTask) => boolean },
): Promise<Result<GatewayTask, Refusal>> {
  const end = performance.now() + wait.ms;
  const pace = new Pace();
  for (;;) {
    const task = await call.host.port.task(call.caller, taskId);
    if (!task.ok || wait.until(task.value) || performance.now() >= end || call.signal.aborted) return task;
    await pace.next(call.signal);
  }
}

/** A receipt is signed shortly after the end, in the order of the log. */
export function hasReceipt(task: GatewayTask): boolean {
  return !isOver(task) || task["receipt_ref"] !== undefined;
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
