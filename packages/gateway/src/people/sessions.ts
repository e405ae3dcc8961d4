import { err, ok, type Result, type Secret, secret } from "@countersign/wire";
import type { Core, Owner } from "../core.ts";
import { newToken, tokenHash } from "../ids.ts";
import { PERSON_SESSION_IDLE_MS, PERSON_SESSION_LIFE_MS, PERSON_SESSION_NOTE_MS, SESSION_LOOK_MS } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import type { Db, Tx } from "../store/store.ts";

/**
 * A person's signed-in browser. The cookie holds a token, the store its hash. A session has a short idle and an absolute
 * life; its token is renewed whenever it comes to mean more (a passkey was added or confirmed), while the session itself,
 * and what is bound to it, stays. How it began is kept: a link, a passkey, or an outside provider.
 */
export interface PersonSession extends Owner {
  /** Names the session for as long as it lives; not the hash of the token in force once that was renewed. */
  readonly sessionHash: string;
  readonly name: string;
  readonly expiresAt: number;
  readonly began: "link" | "passkey" | "outside";
  /** When the link that began it was made; null for any other beginning. */
  readonly linkMadeAt: number | null;
}

export interface Beginning {
  readonly began: PersonSession["began"];
  readonly linkMadeAt?: number;
  readonly device: string;
}

/** A fresh session with a fresh token: nothing that a browser showed before signing in lives on in it. */
export async function beginSession(core: Core, tx: Tx, owner: Owner, how: Beginning): Promise<Secret<string>> {
  const token = newToken();
  const now = core.now();
  const others = await tx
    .selectFrom("person_session")
    .select(["session_hash", "created_at", "expires_at", "last_seen_at"])
    .where("person_id", "=", owner.personId)
    .execute();
  const over = others.filter((row) => !lives(row, now)).map((row) => row.session_hash);
  if (over.length > 0) await tx.deleteFrom("person_session").where("session_hash", "in", over).execute();
  if (over.length < others.length) await tell(core, tx, owner, "signed_in", tokenHash(token));
  await tx
    .insertInto("person_session")
    .values({
      session_hash: tokenHash(token),
      tenant_id: owner.tenantId,
      person_id: owner.personId,
      created_at: now,
      expires_at: now + PERSON_SESSION_LIFE_MS,
      began: how.began,
      link_made_at: how.linkMadeAt ?? null,
      last_seen_at: now,
      device: how.device,
    })
    .execute();
  return secret(token);
}

/** The session of a token, and a note that it was used. */
export async function findSession(core: Core, token: Secret<string>): Promise<PersonSession | undefined> {
  const hash = tokenHash(token.reveal());
  const now = core.now();
  const row = await core.store.db
    .selectFrom("person_session")
    .innerJoin("person", "person.person_id", "person_session.person_id")
    .select([
      "person_session.session_hash",
      "person_session.tenant_id",
      "person_session.person_id",
      "person_session.created_at",
      "person_session.expires_at",
      "person_session.last_seen_at",
      "person_session.began",
      "person_session.link_made_at",
      "person.name",
    ])
    .where((w) =>
      w.or([w("token_hash", "=", hash), w.and([w("session_hash", "=", hash), w("token_hash", "is", null)])]),
    )
    .executeTakeFirst();
  if (row === undefined || !lives(row, now)) return undefined;
  if (now - (row.last_seen_at ?? row.created_at) >= PERSON_SESSION_NOTE_MS) {
    await core.store.db
      .updateTable("person_session")
      .set({ last_seen_at: now })
      .where("session_hash", "=", row.session_hash)
      .execute();
  }
  return {
    tenantId: row.tenant_id,
    personId: row.person_id,
    name: row.name,
    expiresAt: row.expires_at,
    sessionHash: row.session_hash,
    began: row.began,
    linkMadeAt: row.link_made_at,
  };
}

/** Pure: neither its absolute nor its idle life is over. */
export function lives(
  row: { readonly created_at: number; readonly expires_at: number; readonly last_seen_at: number | null },
  now: number,
): boolean {
  return now < row.expires_at && now - (row.last_seen_at ?? row.created_at) < PERSON_SESSION_IDLE_MS;
}

/** A new token for the same session; the old one is worth nothing from then on. */
export async function renewToken(tx: Tx, sessionHash: string): Promise<Result<Secret<string>, "gone">> {
  const token = newToken();
  const { numUpdatedRows } = await tx
    .updateTable("person_session")
    .set({ token_hash: tokenHash(token) })
    .where("session_hash", "=", sessionHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? ok(secret(token)) : err("gone");
}

export interface SessionRow {
  readonly session_hash: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_seen_at: number | null;
  readonly began: PersonSession["began"];
  readonly device: string;
}

/** The person's sessions that live, the last used first. */
export async function listSessions(core: Core, owner: Owner): Promise<readonly SessionRow[]> {
  const now = core.now();
  const rows = await core.store.db
    .selectFrom("person_session")
    .select(["session_hash", "created_at", "expires_at", "last_seen_at", "began", "device"])
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .orderBy("last_seen_at", "desc")
    .execute();
  return rows.filter((row) => lives(row, now));
}

/** Ends one session of this very person; another's is none. */
export async function endSession(db: Db, owner: Owner, sessionHash: string): Promise<Result<undefined, "not_found">> {
  const { numDeletedRows } = await db
    .deleteFrom("person_session")
    .where("session_hash", "=", sessionHash)
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .executeTakeFirst();
  return numDeletedRows === 1n ? ok(undefined) : err("not_found");
}

/** Signs the person out everywhere. Open live views notice it within a second (see {@link watchSession}). */
export async function endAllSessions(db: Db, owner: Owner): Promise<void> {
  await db
    .deleteFrom("person_session")
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .execute();
}

/**
 * Calls `ended` once when a session is over, in whatever gateway it was ended: for what outlives a request, such as a
 * live view's socket. Looking is no use of the session. The answer stops watching.
 */
export function watchSession(core: Core, sessionHash: string, ended: () => void): () => void {
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void stands(core, sessionHash)
      .then((still) => {
        if (still) return;
        clearInterval(timer);
        ended();
      })
      // A store that does not answer now says nothing about the session.
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  }, SESSION_LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function stands(core: Core, sessionHash: string): Promise<boolean> {
  const row = await core.store.as("system", () =>
    core.store.db
      .selectFrom("person_session")
      .select(["created_at", "expires_at", "last_seen_at"])
      .where("session_hash", "=", sessionHash)
      .executeTakeFirst(),
  );
  return row !== undefined && lives(row, core.now());
}
