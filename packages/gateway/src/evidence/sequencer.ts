import { isJsonObject, type JsonObject, parseRecord } from "@countersign/wire";
import type { Core } from "../core.ts";

const BATCH = 50;

/**
 * Signs waiting receipts in the order of their leaves and numbers them per account, so that a missing one shows
 * (REC-4). One runs at a time per store; each leaf is its own transaction, so a crash repeats at most one signature.
 */
export async function sequence(core: Core): Promise<number> {
  const waiting = await core.store.db
    .selectFrom("leaf")
    .selectAll()
    .where("jws", "is", null)
    .orderBy("leaf_id")
    .limit(BATCH)
    .execute();
  for (const leaf of waiting) {
    const last = await core.store.db
      .selectFrom("leaf")
      .select(({ fn }) => fn.max("account_seq").as("seq"))
      .where("account_ref", "=", leaf.account_ref)
      .executeTakeFirst();
    const accountSeq = (last?.seq ?? 0) + 1;
    const jws = await core.keys.sign("receipt", leaf.kind, { ...storedRecord(leaf.payload), account_seq: accountSeq });
    await core.store.transaction((tx) =>
      tx
        .updateTable("leaf")
        .set({ account_seq: accountSeq, jws, sequenced_at: core.now() })
        .where("leaf_id", "=", leaf.leaf_id)
        .where("jws", "is", null)
        .execute(),
    );
  }
  return waiting.length;
}

/** A record that this gateway stored itself. */
export function storedRecord(text: string): JsonObject {
  const parsed = parseRecord(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error("a stored record is not a record");
  return parsed.value;
}
