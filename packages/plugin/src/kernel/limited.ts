import { err, ok, type Result } from "@countersign/wire";

/** A time limit, and the timer it is measured by. */
export interface Limit {
  readonly limitMs: number;
  /** Calls back after a while; answers a way to call it off. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/** Runs `work` until it is done or time is up. A late answer goes to `late`, a late throw nowhere. */
export async function limited<T>(
  work: () => T | Promise<T>,
  { limitMs, after }: Limit,
  late: (value: T) => void = () => {},
): Promise<Result<T, "threw" | "too_slow">> {
  let over = false;
  let callOff = (): void => {};
  const timer = new Promise<Result<never, "too_slow">>((resolve) => {
    callOff = after(limitMs, () => {
      over = true;
      resolve(err("too_slow"));
    });
  });
  // The async function turns a synchronous throw into a rejection like any other.
  const done = (async () => work())().then(
    (value): Result<T, "threw"> => {
      if (over) late(value);
      return ok(value);
    },
    (): Result<T, "threw"> => err("threw"),
  );
  const answer = await Promise.race([timer, done]);
  callOff();
  return answer;
}
