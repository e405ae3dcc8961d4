/** A small generator of its own (mulberry32): the same seed gives the same run on every machine. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `n`. */
  below(n: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T | undefined;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { next, below, chance: (probability) => next() < probability, pick: (items) => items[below(items.length)] };
}
