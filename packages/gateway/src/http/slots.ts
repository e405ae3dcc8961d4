/** How many of something long-lived each may hold, and all of them together. */
export class Slots {
  readonly #each: number;
  readonly #all: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: { readonly each: number; readonly all: number }) {
    this.#each = limits.each;
    this.#all = limits.all;
  }

  /** How to give the slot back, or undefined when there is none left. Giving it back twice is once. */
  take(who: string): (() => void) | undefined {
    const held = this.#held.get(who) ?? 0;
    if (held >= this.#each || this.#total >= this.#all) return undefined;
    this.#held.set(who, held + 1);
    this.#total += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#total -= 1;
      const now = (this.#held.get(who) ?? 1) - 1;
      if (now === 0) this.#held.delete(who);
      else this.#held.set(who, now);
    };
  }
}
