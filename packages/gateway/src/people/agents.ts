import type { VaultRef } from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import type { Selectable } from "kysely";
import { endConsents } from "../consent/end.ts";
import type { Core, Owner } from "../core.ts";
import { AGENTS_WAITING_MAX } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import type { OAuth } from "../oauth/oauth.ts";
import type { Schema } from "../store/schema.ts";
import type { Db } from "../store/store.ts";
import { recallUnsubmitted } from "../tasks/wake.ts";

export type AgentRow = Selectable<Schema["agent"]>;

/** An agent stands for one person; it is nobody until that person has said yes (decision 15). */
export async function requestAgent(core: Core, owner: Owner, name: string): Promise<Result<AgentRow, "too_many">> {
  return core.store.transaction(async (tx) => {
    const waiting = await tx
      .selectFrom("agent")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where("person_id", "=", owner.personId)
      .where("state", "=", "requested")
      .executeTakeFirstOrThrow();
    if (Number(waiting.n) >= AGENTS_WAITING_MAX) return err("too_many");
    const row: AgentRow = {
      client_id: core.newId("agent"),
      tenant_id: owner.tenantId,
      person_id: owner.personId,
      name,
      state: "requested",
      grant_id: null,
      credential_ref: null,
      created_at: core.now(),
      decided_at: null,
      last_seen_at: null,
      oauth_client: null,
    };
    await tx.insertInto("agent").values(row).execute();
    await tell(core, tx, owner, "agent", row.client_id);
    return ok(row);
  });
}

/** The agent that an OAuth client is for this person, if they let it in. */
export async function acceptedAgentOf(db: Db, owner: Owner, oauthClient: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("agent")
    .select("client_id")
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .where("oauth_client", "=", oauthClient)
    .where("state", "=", "accepted")
    .executeTakeFirst();
  return row?.client_id;
}

export async function findAgent(db: Db, owner: Owner, clientId: string): Promise<AgentRow | undefined> {
  return db
    .selectFrom("agent")
    .selectAll()
    .where("client_id", "=", clientId)
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .executeTakeFirst();
}

export async function decideAgent(
  core: Core,
  oauth: OAuth,
  owner: Owner,
  clientId: string,
  decision: "accept" | "refuse",
): Promise<Result<AgentRow, "not_found" | "conflict">> {
  const mint = await oauth.minter();
  return core.store.transaction(async (tx): Promise<Result<AgentRow, "not_found" | "conflict">> => {
    const row = await findAgent(tx, owner, clientId);
    if (row === undefined) return err("not_found");
    const wanted = decision === "accept" ? "accepted" : "refused";
    if (row.state === wanted) return ok(row);
    if (row.state !== "requested") return err("conflict");
    const decided = { state: wanted, decided_at: core.now() } as const;
    await tx.updateTable("agent").set(decided).where("client_id", "=", clientId).execute();
    // A client of an outside issuer has its tokens from there.
    if (decision === "refuse" || row.oauth_client !== null) return ok({ ...row, ...decided });
    const person = await tx
      .selectFrom("person")
      .select("pseudonym")
      .where("person_id", "=", owner.personId)
      .executeTakeFirstOrThrow();
    const minted = await mint(tx, { clientId, ...owner, pseudonym: person.pseudonym });
    const credential = {
      grant_id: minted.grantId,
      credential_ref: await core.vault.put(tx, owner.tenantId, minted.refreshToken),
    };
    await tx.updateTable("agent").set(credential).where("client_id", "=", clientId).execute();
    return ok({ ...row, ...decided, ...credential });
  });
}

/** Ends the agent's credentials and its grants: the consent row decides at every admission, so both are closed. */
export async function revokeAgent(
  core: Core,
  oauth: OAuth,
  owner: Owner,
  clientId: string,
): Promise<Result<AgentRow, "not_found">> {
  const done = await core.store.transaction(async (tx): Promise<Result<AgentRow, "not_found">> => {
    const row = await findAgent(tx, owner, clientId);
    if (row === undefined) return err("not_found");
    const now = core.now();
    await tx
      .updateTable("agent")
      .set({ state: "revoked", decided_at: now })
      .where("client_id", "=", clientId)
      .execute();
    if (row.grant_id !== null) await oauth.revokeAgent(tx, row.grant_id);
    await oauth.revokeGrantsOf(tx, clientId);
    await endConsents(core, tx, { clientId });
    await recallUnsubmitted(tx, { clientId }, now);
    return ok({ ...row, state: "revoked" });
  });
  if (done.ok) core.poke();
  return done;
}

/** Hands the first refresh token out, once. */
export async function takeCredential(
  core: Core,
  clientId: string,
): Promise<Result<Secret<string>, "waiting" | "gone">> {
  return core.store.transaction(async (tx) => {
    const row = await tx.selectFrom("agent").selectAll().where("client_id", "=", clientId).executeTakeFirst();
    if (row?.state === "requested") return err("waiting");
    if (row?.state !== "accepted" || row.credential_ref === null) return err("gone");
    const token = await core.vault.get(tx, row.tenant_id, row.credential_ref as VaultRef);
    await core.vault.remove(tx, row.tenant_id, row.credential_ref as VaultRef);
    await tx.updateTable("agent").set({ credential_ref: null }).where("client_id", "=", clientId).execute();
    return token.ok ? token : err("gone");
  });
}
