import { tokenHash } from "../ids.ts";
import type { Db } from "../store/store.ts";

/** Removes what has expired; answers how many rows. */
export async function sweepExpired(db: Db, now: number): Promise<number> {
  const done = await db.deleteFrom("oauth_record").where("expires_at", "<=", now).executeTakeFirst();
  return Number(done.numDeletedRows);
}

/** Ends an OAuth grant: its row and every token under it, in one statement. */
export async function deleteGrant(db: Db, grantId: string): Promise<void> {
  await deleteGrantRow(db, tokenHash(grantId));
}

/** The same, by the hash under which the grant is kept. */
export async function deleteGrantRow(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom("oauth_record")
    .where((where) =>
      where.or([where("grant_id", "=", id), where.and([where("model", "=", "Grant"), where("id", "=", id)])]),
    )
    .execute();
}

/** Ends every OAuth grant that the person gave an agent at the authorization page. */
export async function deleteGrantsOf(db: Db, agentId: string): Promise<void> {
  const grants = await db.selectFrom("oauth_grant").select("grant_hash").where("client_id", "=", agentId).execute();
  for (const { grant_hash: hash } of grants) await deleteGrantRow(db, hash);
  await db.deleteFrom("oauth_grant").where("client_id", "=", agentId).execute();
}
