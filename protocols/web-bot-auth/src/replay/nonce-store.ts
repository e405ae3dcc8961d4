import { digestOfBytes, digestOfText } from "@countersign/wire";
import { NONCES_MAX, NONCES_PER_IDENTIFIER_MAX } from "../limits.ts";

/**
 * Remembers what was used. `record` checks and records in one step, over everything that shares the store: of two that
 * bring the same key at once, one is told `recorded`. A store that cannot say throws or answers `full`; neither is ever
 * taken for "no replay".
 */
export interface NonceStore {
  record(use: NonceUse): Promise<"recorded" | "seen" | "full">;
}

export interface NonceUse {
  /** A digest over tag, identifier and nonce: fixed length, nothing of it readable. */
  readonly key: string;
  /** Whom it is counted for. */
  readonly identifier: string;
  /** Unix milliseconds; later, the signature is refused by its own time. */
  readonly expiresAtMs: number;
}

/**
 * The key of one use. The tag is in it because signatures of one message share a nonce on purpose; the lengths are,
 * so that no two uses are written the same way. Without a nonce, the signature's own bytes: those catch an identical
 * copy and nothing else, since some algorithms sign the same thing anew each time.
 */
export async function nonceKey(use: {
  readonly tag: string;
  readonly identifier: string;
  readonly nonce: string | Uint8Array;
}): Promise<string> {
  const { tag, identifier, nonce } = use;
  const head = `${bytesIn(tag)} ${bytesIn(identifier)}`;
  if (typeof nonce === "string") return digestOfText(`nonce ${head} ${bytesIn(nonce)}\n${tag}${identifier}${nonce}`);
  const before = encoder.encode(`signature ${head} ${nonce.length}\n${tag}${identifier}`);
  const bytes = new Uint8Array(before.length + nonce.length);
  bytes.set(before);
  bytes.set(nonce, before.length);
  return digestOfBytes(bytes);
}

const encoder = new TextEncoder();
const ASCII = /^[\x20-\x7e]*$/;

function bytesIn(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).length;
}

export interface MemoryNonceOptions {
  readonly now?: () => number;
  readonly max?: number;
  readonly maxPerIdentifier?: number;
}

/** The default: this process alone, bounded, forgetting what has expired. */
export function memoryNonces(options: MemoryNonceOptions = {}): NonceStore {
  const { now = Date.now, max = NONCES_MAX, maxPerIdentifier = NONCES_PER_IDENTIFIER_MAX } = options;
  const used = new Map<string, NonceUse>();
  const counts = new Map<string, number>();
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const isFull = (identifier: string) => used.size >= max || (counts.get(identifier) ?? 0) >= maxPerIdentifier;
  // Expiries come nearly in order, so a few from the front each time keep up with what is added.
  const sweep = (most: number) => {
    const nowMs = now();
    let looked = 0;
    for (const [key, use] of used) {
      if (looked++ >= most) return;
      if (use.expiresAtMs >= nowMs) continue;
      used.delete(key);
      const left = (counts.get(use.identifier) ?? 1) - 1;
      if (left === 0) counts.delete(use.identifier);
      else counts.set(use.identifier, left);
    }
  };
  return {
    async record(use) {
      const before = used.get(use.key);
      if (before !== undefined && before.expiresAtMs >= now()) return "seen";
      sweep(SWEPT_EACH_TIME);
      // Looking at everything costs, so a store that somebody keeps full is looked through once a second.
      if (isFull(use.identifier) && now() - sweptAtMs >= SWEEP_ALL_MS) {
        sweptAtMs = now();
        sweep(used.size);
      }
      if (isFull(use.identifier)) return "full";
      if (!used.has(use.key)) counts.set(use.identifier, (counts.get(use.identifier) ?? 0) + 1);
      used.set(use.key, use);
      return "recorded";
    },
  };
}

const SWEPT_EACH_TIME = 8;
const SWEEP_ALL_MS = 1000;
