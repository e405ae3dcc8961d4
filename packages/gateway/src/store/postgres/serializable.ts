import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import { isDuplicateKey, isSerializationFailure } from "./errors.ts";
import { DUPLICATE_TRIES_MAX, RETRY_CAP_MS, RETRY_FIRST_MS, TRANSACTION_TRIES_MAX } from "./limits.ts";
import { isStalePlan } from "./statements.ts";
import type { Turns } from "./turns.ts";

/**
 * Runs `work` in a SERIALIZABLE transaction, and again from the start when another one came between. Whoever asks
 * waits a random short while first, so that two do not meet again at the same place.
 */
export async function serializable<Schema, T>(
  db: Kysely<Schema>,
  turns: Turns,
  work: (tx: Transaction<Schema>) => Promise<T>,
  random: () => number = Math.random,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await turns.run(() => db.transaction().setIsolationLevel("serializable").execute(work));
    } catch (error) {
      const most = isSerializationFailure(error)
        ? TRANSACTION_TRIES_MAX
        : isDuplicateKey(error) || isStalePlan(error)
          ? DUPLICATE_TRIES_MAX
          : 1;
      if (tries >= most) throw error;
    }
    await sleep(random() * Math.min(RETRY_FIRST_MS * 2 ** tries, RETRY_CAP_MS));
  }
}
