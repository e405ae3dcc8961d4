import { sql } from "kysely";
import type { Store, Tx } from "../../store/store.ts";

/** A turn at the log. Whoever takes one raises the fence; every write of an earlier turn is refused by comparing it. */
export interface Turn {
  readonly owner: string;
  readonly fence: number;
}

/** While a turn is under way nobody takes it over; afterwards anybody with work may, at once. */
export const TURN_MS = 5_000;
const NAME = "sequencer";

/** Another process has taken the log meanwhile: what was prepared is worth nothing. */
export class TurnLost extends Error {
  override readonly name = "TurnLost";
}

/** Frees the log from a process that is no more: for a store that has one process at a time. */
export async function endEarlierTurn(store: Store): Promise<void> {
  await store.transaction((tx) => tx.updateTable("lease").set({ until: 0 }).where("name", "=", NAME).execute());
}

/** Takes the log, unless another process is busy with it. */
export async function takeTurn(store: Store, owner: string, now: number): Promise<Turn | undefined> {
  const row = await store.transaction((tx) =>
    tx
      .updateTable("lease")
      .set({ owner, until: now + TURN_MS, fence: sql`fence + 1` })
      .where("name", "=", NAME)
      .where((eb) => eb.or([eb("until", "<=", now), eb("owner", "=", owner)]))
      .returning("fence")
      .executeTakeFirst(),
  );
  return row === undefined ? undefined : { owner, fence: Number(row.fence) };
}

/**
 * Holds the turn for this transaction: the row is compared and written in it, so that of two holders only the later can
 * commit. `until` in the past gives the log free, without giving up the turn while nobody else wants it.
 * @throws TurnLost
 */
export async function confirmTurn(tx: Tx, turn: Turn, until: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("lease")
    .set({ until })
    .where("name", "=", NAME)
    .where("owner", "=", turn.owner)
    .where("fence", "=", turn.fence)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new TurnLost();
}
