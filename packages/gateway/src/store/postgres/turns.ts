/** Lets a changing number of pieces of work run at once. */
export interface Turns {
  /** Runs `work` when it is its turn, in the order of asking. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many may run at once just now. */
  readonly atOnce: number;
}

/** Halved by each conflict, raised by one for about as many successes as this times the present number. */
const RAISE_AFTER = 8;

/**
 * Finds by itself how many transactions this process can have under way before they only throw each other back. Two
 * serialisable transactions that touch the same page of an index are in conflict, and in a small table they all do:
 * run one after the other they are all done before the first retry would have been. Where tables are large, conflicts
 * are rare and the number grows. Additive increase and multiplicative decrease, as TCP does it (RFC 5681).
 */
export function createTurns(most: number, isConflict: (error: unknown) => boolean): Turns {
  const queue: (() => void)[] = [];
  let limit = 1;
  let busy = 0;

  const next = (): void => {
    while (busy < Math.floor(limit)) {
      const go = queue.shift();
      if (go === undefined) return;
      busy++;
      go();
    }
  };

  return {
    async run(work) {
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        next();
      });
      try {
        const result = await work();
        limit = Math.min(most, limit + 1 / (RAISE_AFTER * limit));
        return result;
      } catch (error) {
        if (isConflict(error)) limit = Math.max(1, limit / 2);
        throw error;
      } finally {
        busy--;
        next();
      }
    },
    get atOnce() {
      return Math.floor(limit);
    },
  };
}
