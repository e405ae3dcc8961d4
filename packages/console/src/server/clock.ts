/**
 * The gateway's clock, as the `date` header of its answers tells it. Deadlines are its own, so a countdown believes it and
 * not this machine's clock, which may be hours off. The header names a second: each answer says that the clock was
 * somewhere between when the question left and when the answer came, and several answers narrow that down.
 */
export interface Offset {
  /** Bounds of gateway time minus this page's own steady clock, in milliseconds. */
  readonly low: number;
  readonly high: number;
}

const SECOND_MS = 1_000;

/** What an answer says of the offset; undefined where its header cannot be read. */
export function offsetOf(date: string | null, leftAt: number, cameAt: number): Offset | undefined {
  const told = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isFinite(told)) return undefined;
  return { low: told - cameAt, high: told + SECOND_MS - leftAt };
}

/** Both hold, so the truth is in both; when they cannot both hold, a clock was set and the later one counts. */
export function narrowed(known: Offset | undefined, seen: Offset): Offset {
  if (known === undefined) return seen;
  const both = { low: Math.max(known.low, seen.low), high: Math.min(known.high, seen.high) };
  return both.low <= both.high ? both : seen;
}

let offset: Offset | undefined;

export function noteServerDate(date: string | null, leftAt: number, cameAt: number): void {
  const seen = offsetOf(date, leftAt, cameAt);
  if (seen !== undefined) offset = narrowed(offset, seen);
}

/** Milliseconds that never jump when somebody sets this machine's clock. */
export function steadyNow(): number {
  return performance.now();
}

/** The latest that it can be at the gateway, so that a countdown never promises time that is not there. */
export function serverNow(): number {
  return offset === undefined ? Date.now() : steadyNow() + offset.high;
}
