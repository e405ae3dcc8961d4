import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "@countersign/wire";
import type { Core } from "../core.ts";
import { tokenHash } from "../ids.ts";
import { CEREMONY_LIFE_MS, SIGN_IN_FAILURES_MAX, SIGN_IN_FAILURES_MS } from "../limits.ts";
import type { Db, Tx } from "../store/store.ts";

export type Purpose = "enrol" | "sign_in" | "confirm";

const CHALLENGE_BYTES = 32;

/** To whom a challenge was given: it is of no use to any other browser or session, for any other purpose. */
export interface Bound {
  readonly purpose: Purpose;
  readonly boundTo: string;
}

export function randomChallenge(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(randomBytes(CHALLENGE_BYTES));
}

/**
 * Stores a challenge, as its hash, and takes away what nobody can answer any more. In the store and not in memory: the
 * answer may reach another gateway, or this one after a restart. A browser that failed too often gets none.
 */
export async function issueChallenge(
  core: Core,
  challenge: string,
  bound: Bound & { readonly credentialId?: string },
): Promise<Result<undefined, "too_many">> {
  const { db } = core.store;
  const now = core.now();
  const failed = await db
    .selectFrom("webauthn_challenge")
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .where("bound_to", "=", bound.boundTo)
    .where("used_at", ">", now - SIGN_IN_FAILURES_MS)
    .where("passed_at", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(failed.n) >= SIGN_IN_FAILURES_MAX) return err("too_many");
  await db
    .deleteFrom("webauthn_challenge")
    .where("expires_at", "<", now - SIGN_IN_FAILURES_MS)
    .execute();
  await db
    .insertInto("webauthn_challenge")
    .values({
      challenge_hash: tokenHash(challenge),
      purpose: bound.purpose,
      bound_to: bound.boundTo,
      credential_id: bound.credentialId ?? null,
      created_at: now,
      expires_at: now + CEREMONY_LIFE_MS,
      used_at: null,
      passed_at: null,
    })
    .execute();
  return ok(undefined);
}

/** Spends a challenge before its answer is judged: a wrong answer costs it too. True for exactly one caller. */
export async function spendChallenge(
  core: Core,
  challenge: string,
  bound: Bound,
): Promise<Result<{ readonly credentialId: string | null }, "gone">> {
  const now = core.now();
  const challengeHash = tokenHash(challenge);
  return core.store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("webauthn_challenge")
      .set({ used_at: now })
      .where("challenge_hash", "=", challengeHash)
      .where("purpose", "=", bound.purpose)
      .where("bound_to", "=", bound.boundTo)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return err("gone");
    const row = await tx
      .selectFrom("webauthn_challenge")
      .select("credential_id")
      .where("challenge_hash", "=", challengeHash)
      .executeTakeFirstOrThrow();
    return ok({ credentialId: row.credential_id });
  });
}

/** Notes that the answer was right, so that it does not count among the failures. */
export async function passChallenge(db: Db | Tx, challenge: string, now: number): Promise<void> {
  await db
    .updateTable("webauthn_challenge")
    .set({ passed_at: now })
    .where("challenge_hash", "=", tokenHash(challenge))
    .execute();
}
