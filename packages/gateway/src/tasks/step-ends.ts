/** Whose task it is that somebody waits for: nobody hears of another client's. */
export interface WaitedTask {
  readonly clientId: string;
  readonly taskId: string;
}

/**
 * Wakes whoever waits for a task as soon as this process has ended a step of it, so that nobody has to ask in between.
 * It says nothing of what became of the task. Steps of other processes, and what the person does, end no wait here:
 * whoever waits looks again by a clock of their own too.
 */
export interface StepEnds {
  ended(task: WaitedTask): void;
  /** Resolves with the next end of a step from now on, or when `signal` is aborted. */
  next(task: WaitedTask, signal: AbortSignal): Promise<void>;
}

export function createStepEnds(): StepEnds {
  const waiting = new Map<string, Set<() => void>>();
  const key = ({ clientId, taskId }: WaitedTask): string => JSON.stringify([clientId, taskId]);
  return {
    ended(task) {
      for (const wake of waiting.get(key(task)) ?? []) wake();
    },
    next(task, signal) {
      const at = key(task);
      return new Promise((resolve) => {
        const wakes = waiting.get(at) ?? new Set();
        const wake = (): void => {
          signal.removeEventListener("abort", wake);
          wakes.delete(wake);
          if (wakes.size === 0) waiting.delete(at);
          resolve();
        };
        if (signal.aborted) return resolve();
        signal.addEventListener("abort", wake, { once: true });
        waiting.set(at, wakes.add(wake));
      });
    },
  };
}
