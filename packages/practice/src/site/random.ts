import { createHash, randomBytes } from "node:crypto";

/** A source of random bytes. */
export type Random = (bytes: number) => Uint8Array;

/** The machine's own randomness: what the shop uses unless a seed is given. */
export const systemRandom: Random = (bytes) => randomBytes(bytes);

/**
 * Reproducible bytes from a seed, so that a failing run can be repeated with the same order numbers and tokens.
 * SHA-256 in counter mode; predictable by design, for practice worlds only.
 */
export function seededRandom(seed: string): Random {
  let counter = 0;
  return (bytes) => {
    const out = Buffer.alloc(bytes);
    for (let at = 0; at < bytes; at += 32) {
      createHash("sha256").update(`${seed}:${counter}`).digest().copy(out, at);
      counter += 1;
    }
    return out;
  };
}

/** An unguessable URL-safe string of 256 bits. */
export function randomToken(random: Random): string {
  return Buffer.from(random(32)).toString("base64url");
}
