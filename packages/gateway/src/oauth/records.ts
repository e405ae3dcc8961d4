import { tokenHash } from "../ids.ts";
import type { Db } from "../store/store.ts";

/** Removes what has expired; answers how many rows. */
export async function sweepExpired(db: Db, now: number): Promise<number> {
  const done = await db.deleteFrom("oauth_record").where("expires_at", "<=", now).executeTakeFirst();
  return Number(done.numDeletedRows);
}

/** Ends an OAuth grant: its row and every token under it, in one statement. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  const id = tokenHash(grantId);
  await db
    .deleteFrom("oauth_record")
    .where((where) =>
      where.or([where("grant_id", "=", id), where.and([where("model", "=", "Grant"), where("id", "=", id)])]),
    )
    .execute();
}
