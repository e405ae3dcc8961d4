import { createHash } from "node:crypto";
import { WATCH_SPREAD } from "../limits.ts";

/** The times of a watch. Pure data. */
export interface Pace {
  /** A destination is not asked more often than this. */
  readonly everyMs: number;
  readonly endsAt: number;
}

/**
 * When a watch that was looked at now is looked at next: after its pace and a little more, which differs from watch to
 * watch and from look to look, so that what was begun together does not come due together. When the end comes before the
 * pace allows another look, it is the end.
 */
export function nextLookAt(
  { everyMs, endsAt }: Pace,
  of: { readonly taskId: string; readonly nth: number },
  now: number,
) {
  const earliest = now + everyMs;
  if (earliest > endsAt) return endsAt;
  const room = Math.min(everyMs * WATCH_SPREAD, endsAt - earliest);
  return earliest + Math.floor(room * shareOf(`${of.taskId}:${of.nth}`));
}

/**
 * A look that is late by a whole pace: the gateway stood still, and whatever it watches is due with it. Such looks are
 * spread like any others, so that nothing that somebody waits for stands behind them, and no destination meets them all.
 */
export function lateLookAt(
  { everyMs, endsAt }: Pace,
  of: { readonly taskId: string; readonly dueAt: number },
  now: number,
) {
  if (now < of.dueAt + everyMs) return undefined;
  return Math.min(now + Math.floor(everyMs * WATCH_SPREAD * shareOf(`${of.taskId}:${of.dueAt}`)), endsAt);
}

/** Whether a watch whose end has come ends with what it saw, rather than with one more look. */
export function endsUnlooked(pace: Pace, lookedAt: number | null, now: number): boolean {
  return now >= pace.endsAt && lookedAt !== null && now < lookedAt + pace.everyMs;
}

/** Between 0 and 1, the same for the same name. */
function shareOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE(0) / 2 ** 32;
}
