import { TERMINAL_STATES } from "@countersign/profile";
import type { Db } from "../store/store.ts";

const RESTORED_AT = "restored_at";

/** When this store was last restored from a backup, in milliseconds; 0 when it never was. */
export async function restoredAt(db: Db): Promise<number> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", RESTORED_AT).executeTakeFirst();
  return row === undefined ? 0 : Number(row.value);
}

export interface Marked {
  /** Tasks that have to be read back before anything commits. */
  readonly tasks: number;
  readonly grantsEnded: number;
}

/**
 * Puts a store that was copied back into reconcile-first mode (STA-8). What the lost store did after the backup is not
 * in it: every unfinished commit may have been submitted, a revoked grant may look granted, a spent credential fresh.
 * So the unfinished are to be read back, sign-ins end, and unless they are kept on the operator's word, grants, agents'
 * credentials and enrolments of authorities end too, and passkeys settle anew: one that was revoked since must not decide
 * before its holder has seen it.
 */
export async function markRestored(db: Db, now: number, grants: "end" | "keep"): Promise<Marked> {
  const marked = await db
    .updateTable("task")
    .set({ suspect: 1, review_at: null, tries: 0, due_at: now, lease_owner: null, lease_until: null })
    .where((w) => w.or([w("wish_digest", "is not", null), w("action_id", "is not", null)]))
    .where("state", "not in", TERMINAL_STATES)
    .executeTakeFirst();
  await db.deleteFrom("person_session").execute();
  await db.deleteFrom("sign_in_link").execute();
  // One that was answered after the backup looks unanswered in it.
  await db.deleteFrom("webauthn_challenge").execute();
  await db.deleteFrom("outside_sign_in").execute();
  let grantsEnded = 0;
  if (grants === "end") {
    await db.deleteFrom("oauth_record").execute();
    const ended = await db
      .updateTable("consent")
      .set({ state: "revoked", revoked_at: now })
      .where("state", "in", ["requested", "granted"])
      .executeTakeFirst();
    grantsEnded = Number(ended.numUpdatedRows);
    await db
      .updateTable("authority_enrolment")
      .set({ removed_at: now })
      .where((w) => w.or([w("removed_at", "is", null), w("removed_at", ">", now)]))
      .execute();
    await db
      .updateTable("credential")
      .set({ enrolled_at: now, confirmed_at: null })
      .where("revoked_at", "is", null)
      .execute();
  }
  await db
    .insertInto("setting")
    .values({ name: RESTORED_AT, value: String(now) })
    .onConflict((c) => c.column("name").doUpdateSet({ value: String(now) }))
    .execute();
  return { tasks: Number(marked.numUpdatedRows), grantsEnded };
}

/** While a task of a restored store waits to be read back, nothing commits; one that stays unclear holds its account. */
export async function mustReadBackFirst(db: Db, accountRef: string): Promise<boolean> {
  const waiting = await db
    .selectFrom("task")
    .select("task_id")
    .where("suspect", "=", 1)
    .where("state", "not in", TERMINAL_STATES)
    .where((w) => w.or([w("review_at", "is", null), w("account_ref", "=", accountRef)]))
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}
