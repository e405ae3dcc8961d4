import { DEVICE_INTERVAL_SECONDS, DEVICE_TRIERS_KEPT, DEVICE_TRIES_MAX, DEVICE_TRIES_MS } from "./limits.ts";

/**
 * The times at which each of many did something, the last ones of each; whoever did nothing for longest is forgotten
 * first. In memory: it slows guessing and polling down, and nothing that counts stands on it.
 */
class Times {
  readonly #of = new Map<string, readonly number[]>();

  since(who: string, from: number): readonly number[] {
    return (this.#of.get(who) ?? []).filter((at) => at > from);
  }

  note(who: string, at: number, from: number): void {
    const kept = [...this.since(who, from), at];
    this.#of.delete(who);
    this.#of.set(who, kept);
    const [oldest] = this.#of.keys();
    if (this.#of.size > DEVICE_TRIERS_KEPT && oldest !== undefined) this.#of.delete(oldest);
  }
}

/** Codes that a person typed and that were none: a code has 35 bits, and ten tries in ten minutes find nothing. */
export function codeTries(now: () => number): { may(person: string): boolean; noteWrong(person: string): void } {
  const times = new Times();
  return {
    may: (person) => times.since(person, now() - DEVICE_TRIES_MS).length < DEVICE_TRIES_MAX,
    noteWrong: (person) => times.note(person, now(), now() - DEVICE_TRIES_MS),
  };
}

/** Does a device ask too fast (RFC 8628 section 3.5)? The library never says so itself. */
export function pollPace(now: () => number): (device: string) => "in_time" | "too_fast" {
  const times = new Times();
  return (device) => {
    const from = now() - DEVICE_INTERVAL_SECONDS * 1000;
    const early = times.since(device, from).length > 0;
    times.note(device, now(), from);
    return early ? "too_fast" : "in_time";
  };
}
