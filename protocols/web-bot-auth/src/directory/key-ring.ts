import { DIRECTORY_MAX_AGE_S, SIGNED_FOR_MAX_S, SKEW_S } from "../limits.ts";

// Rotation with overlap. A new key is listed first and signs only when every verifier that keeps the directory for its
// whole age has seen it; the old one stays listed until the last signature by it has run out. Both are listed in between,
// so nothing that was signed by either is refused.

/** A key of the ring by its id; where its private half is, is the owner's to know. Unix milliseconds. */
export interface RingKey {
  readonly keyId: string;
  readonly listedAtMs: number;
  readonly signsFromMs: number;
  /** Not listed from then on; a key that is not to go has none. */
  readonly listedUntilMs?: number;
}

export interface RingTimes {
  /** The directory's `max-age`. */
  readonly maxAgeS: number;
  /** The longest that a signature of ours lives, and what verifiers allow for clocks. */
  readonly lifetimeS: number;
  readonly skewS: number;
}

export const RING_TIMES: RingTimes = { maxAgeS: DIRECTORY_MAX_AGE_S, lifetimeS: SIGNED_FOR_MAX_S, skewS: SKEW_S };

/** The keys that the directory lists. */
export function listed<K extends RingKey>(ring: readonly K[], nowMs: number): readonly K[] {
  return ring.filter(
    (key) => key.listedAtMs <= nowMs && (key.listedUntilMs === undefined || nowMs < key.listedUntilMs),
  );
}

/** The key that signs: of those listed, the newest that may; undefined when there is none. */
export function signing<K extends RingKey>(ring: readonly K[], nowMs: number): K | undefined {
  return listed(ring, nowMs)
    .filter((key) => key.signsFromMs <= nowMs)
    .sort((a, b) => b.signsFromMs - a.signsFromMs || (a.keyId < b.keyId ? -1 : 1))[0];
}

/** The first key signs at once: nobody keeps a directory without it. */
export function firstKey(keyId: string, nowMs: number): RingKey {
  return { keyId, listedAtMs: nowMs, signsFromMs: nowMs };
}

/** The ring with a new key, which takes over once everybody can know it. What is over is left out. */
export function rotated<K extends RingKey>(
  ring: readonly K[],
  keyId: string,
  { nowMs, times = RING_TIMES }: { readonly nowMs: number; readonly times?: RingTimes },
): readonly (K | RingKey)[] {
  const signsFromMs = nowMs + times.maxAgeS * 1000;
  const listedUntilMs = signsFromMs + (times.lifetimeS + times.skewS) * 1000;
  const old = listed(ring, nowMs).map((key) => ({ ...key, listedUntilMs: key.listedUntilMs ?? listedUntilMs }));
  return [...old, { keyId, listedAtMs: nowMs, signsFromMs }];
}

/** A key that somebody else may hold goes at once, with every other in the ring kept; its replacement signs at once. */
export function withdrawn<K extends RingKey>(
  ring: readonly K[],
  keyId: string,
  replacement: { readonly keyId: string; readonly nowMs: number },
): readonly (K | RingKey)[] {
  return [...ring.filter((key) => key.keyId !== keyId), firstKey(replacement.keyId, replacement.nowMs)];
}
