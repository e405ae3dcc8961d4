import { err, ok, type Result } from "@countersign/wire";

/** The only clock of this package: runs `fn` once after `ms` unless the returned function is called before. */
export interface Timers {
  after(ms: number, fn: () => void): () => void;
}

/** Never keeps the process alive on its own. */
export const systemTimers: Timers = {
  after(ms, fn) {
    const handle = setTimeout(fn, ms);
    handle.unref();
    return () => clearTimeout(handle);
  },
};

/** Waits for `work` no longer than `ms`. A rejection of `work` passes through; one that comes later is dropped. */
export async function within<T>(timers: Timers, ms: number, work: Promise<T>): Promise<Result<T, "timeout">> {
  let stop: () => void = () => {};
  const late = new Promise<Result<T, "timeout">>((resolve) => {
    stop = timers.after(ms, () => resolve(err("timeout")));
  });
  try {
    return await Promise.race([work.then((value) => ok(value)), late]);
  } finally {
    stop();
    work.catch(() => {});
  }
}
