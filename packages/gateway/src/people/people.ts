import { err, ok, type Result, type Secret, secret } from "@countersign/wire";
import { listCredentials } from "../approval/credentials.ts";
import type { Core, Owner } from "../core.ts";
import { newToken, tokenHash } from "../ids.ts";
import { SIGN_IN_LINK_LIFE_MS } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import { beginSession } from "./sessions.ts";
import { noteSignInEvent } from "./sign-in-events.ts";

/** The account holder that a store has from its first start. */
export async function firstPerson(core: Core, db: Writer = core.store.db): Promise<Owner | undefined> {
  const row = await db
    .selectFrom("person")
    .select(["tenant_id", "person_id"])
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { tenantId: row.tenant_id, personId: row.person_id };
}

/** The first tenant and its person; a store has them from its first start. */
export async function ensureFirstPerson(core: Core): Promise<Owner> {
  return core.store.transaction(async (tx) => {
    const first = await firstPerson(core, tx);
    if (first !== undefined) return first;
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

/**
 * Spends a link, once, and begins a session. A link is a way in and no more: what a passkey made in its session may do at
 * once is judged where passkeys are enrolled (people/passkeys.ts). Where the person had a passkey already, the link is a
 * recovery, and the person is told that it was used.
 */
export async function redeemLink(
  core: Core,
  token: Secret<string>,
  device: string,
): Promise<Result<Secret<string>, "gone">> {
  const linkHash = tokenHash(token.reveal());
  return core.store.transaction(async (tx): Promise<Result<Secret<string>, "gone">> => {
    const now = core.now();
    const { numUpdatedRows } = await tx
      .updateTable("sign_in_link")
      .set({ used_at: now })
      .where("link_hash", "=", linkHash)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return err("gone");
    const link = await tx
      .selectFrom("sign_in_link")
      .innerJoin("person", "person.person_id", "sign_in_link.person_id")
      .select(["person.person_id", "person.tenant_id", "sign_in_link.created_at"])
      .where("link_hash", "=", linkHash)
      .executeTakeFirstOrThrow();
    const owner = { tenantId: link.tenant_id, personId: link.person_id };
    if ((await listCredentials(tx, owner)).length > 0) {
      await noteSignInEvent(core, tx, owner, "link_used", device);
      await tell(core, tx, owner, "recovery_used", linkHash);
    }
    return ok(await beginSession(core, tx, owner, { began: "link", linkMadeAt: link.created_at, device }));
  });
}
