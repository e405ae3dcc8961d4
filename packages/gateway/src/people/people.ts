import { err, ok, type Result, type Secret, secret } from "@countersign/wire";
import type { Core, Owner } from "../core.ts";
import { newToken, tokenHash } from "../ids.ts";
import { PERSON_SESSION_LIFE_MS, SIGN_IN_LINK_LIFE_MS } from "../limits.ts";

export interface PersonSession extends Owner {
  readonly sessionHash: string;
  readonly name: string;
  readonly expiresAt: number;
}

/** The first tenant and its person; a store has them from its first start. */
export async function ensureFirstPerson(core: Core): Promise<Owner> {
  return core.store.transaction(async (tx) => {
    const row = await tx
      .selectFrom("person")
      .select(["tenant_id", "person_id"])
      .orderBy("created_at")
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return { tenantId: row.tenant_id, personId: row.person_id };
    return addPerson(core, tx, { tenantId: await addTenant(core, tx, "Home"), name: "Account holder" });
  });
}

type Writer = Core["store"]["db"];

export async function addTenant(core: Core, db: Writer, name: string): Promise<string> {
  const tenantId = core.newId("ten");
  await db.insertInto("tenant").values({ tenant_id: tenantId, name, created_at: core.now() }).execute();
  return tenantId;
}

export async function addPerson(
  core: Core,
  db: Writer,
  person: { readonly tenantId: string; readonly name: string },
): Promise<Owner> {
  const personId = core.newId("usr");
  await db
    .insertInto("person")
    .values({
      person_id: personId,
      tenant_id: person.tenantId,
      name: person.name,
      pseudonym: core.newId("holder"),
      created_at: core.now(),
    })
    .execute();
  return { tenantId: person.tenantId, personId };
}

/** Another account holder, in a tenant of their own: nothing of anybody else's is theirs. */
export async function addHolder(core: Core, name: string): Promise<Owner> {
  return core.store.transaction(async (tx) => addPerson(core, tx, { tenantId: await addTenant(core, tx, name), name }));
}

export async function findPerson(core: Core, personId: string): Promise<Owner | undefined> {
  const row = await core.store.db
    .selectFrom("person")
    .select(["tenant_id", "person_id"])
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row === undefined ? undefined : { tenantId: row.tenant_id, personId: row.person_id };
}

/** A one-time way into the trusted interface; only its hash is stored. */
export async function newSignInLink(core: Core, personId: string): Promise<Secret<string>> {
  const token = newToken();
  const now = core.now();
  await core.store.db
    .insertInto("sign_in_link")
    .values({
      link_hash: tokenHash(token),
      person_id: personId,
      created_at: now,
      expires_at: now + SIGN_IN_LINK_LIFE_MS,
      used_at: null,
    })
    .execute();
  return secret(token);
}

/** Spends a link, once, and answers a fresh session token. */
export async function redeemLink(core: Core, token: Secret<string>): Promise<Result<Secret<string>, "gone">> {
  const now = core.now();
  const linkHash = tokenHash(token.reveal());
  const sessionToken = newToken();
  return core.store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("sign_in_link")
      .set({ used_at: now })
      .where("link_hash", "=", linkHash)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return err("gone");
    const person = await tx
      .selectFrom("sign_in_link")
      .innerJoin("person", "person.person_id", "sign_in_link.person_id")
      .select(["person.person_id", "person.tenant_id"])
      .where("link_hash", "=", linkHash)
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("person_session")
      .values({
        session_hash: tokenHash(sessionToken),
        tenant_id: person.tenant_id,
        person_id: person.person_id,
        created_at: now,
        expires_at: now + PERSON_SESSION_LIFE_MS,
      })
      .execute();
    return ok(secret(sessionToken));
  });
}

export async function findSession(core: Core, token: Secret<string>): Promise<PersonSession | undefined> {
  const sessionHash = tokenHash(token.reveal());
  const row = await core.store.db
    .selectFrom("person_session")
    .innerJoin("person", "person.person_id", "person_session.person_id")
    .select(["person_session.tenant_id", "person_session.person_id", "person_session.expires_at", "person.name"])
    .where("session_hash", "=", sessionHash)
    .where("person_session.expires_at", ">", core.now())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { tenantId: row.tenant_id, personId: row.person_id, name: row.name, expiresAt: row.expires_at, sessionHash };
}

export async function endSession(core: Core, sessionHash: string): Promise<void> {
  await core.store.db.deleteFrom("person_session").where("session_hash", "=", sessionHash).execute();
}
