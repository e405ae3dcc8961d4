/** The client's clock, so that tests move it. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Ends after `ms`, or at once when the signal says so; never throws. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
    }),
};
