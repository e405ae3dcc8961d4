import type { AccountIdentity, RouteKind, VaultRef } from "@countersign/plugin";
import type { Secret } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Core, Owner } from "../core.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";
import { syncDetails } from "./details.ts";

export type AccountRow = Selectable<Schema["account"]>;
export type ConnectionRow = Selectable<Schema["connection"]>;

export async function findAccount(db: Db, owner: Owner, accountRef: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom("account")
    .selectAll()
    .where("account_ref", "=", accountRef)
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .executeTakeFirst();
}

export async function listAccounts(db: Db, owner: Owner): Promise<readonly AccountRow[]> {
  return db
    .selectFrom("account")
    .selectAll()
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .orderBy("created_at")
    .execute();
}

export async function addAccount(core: Core, tx: Tx, owner: Owner, destination: string): Promise<AccountRow> {
  const row: AccountRow = {
    account_ref: core.newId("acct"),
    tenant_id: owner.tenantId,
    person_id: owner.personId,
    destination,
    name: "",
    identity: null,
    created_at: core.now(),
  };
  await tx.insertInto("account").values(row).execute();
  return row;
}

export async function connectionsOf(db: Db, accountRef: string): Promise<readonly ConnectionRow[]> {
  return db.selectFrom("connection").selectAll().where("account_ref", "=", accountRef).execute();
}

export async function findConnection(db: Db, accountRef: string, route: string): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom("connection")
    .selectAll()
    .where("account_ref", "=", accountRef)
    .where("route", "=", route)
    .executeTakeFirst();
}

/**
 * Whether a sign-in is of another account at the site than the one that this row has stood for. Grants and approvals
 * were given for that one, so a row is never pointed at another (U44): the other is connected as an account of its own.
 */
export function isOtherAccount(account: Pick<AccountRow, "name" | "identity">, found: AccountIdentity): boolean {
  if (account.identity !== null && found.key !== undefined) return account.identity !== found.key;
  return account.name !== "" && account.name !== found.name;
}

/** Records a verified sign-in: the site's own name for the account, its rows, the sealed session (MFA-3, U44). */
export async function connect(
  core: Core,
  tx: Tx,
  account: AccountRow,
  route: RouteKind,
  verified: { readonly identity: AccountIdentity; readonly material: Secret<string> },
): Promise<void> {
  const now = core.now();
  const before = await findConnection(tx, account.account_ref, route);
  const ref = before?.material_ref as VaultRef | null | undefined;
  const materialRef = ref ?? (await core.vault.put(tx, account.tenant_id, verified.material));
  if (ref) await core.vault.replace(tx, account.tenant_id, ref, verified.material);
  const state = {
    state: "connected" as const,
    reason: null,
    material_ref: materialRef,
    verified_at: now,
    updated_at: now,
  };
  await tx
    .insertInto("connection")
    .values({ account_ref: account.account_ref, route, ...state })
    .onConflict((c) => c.columns(["account_ref", "route"]).doUpdateSet(state))
    .execute();
  await tx
    .updateTable("account")
    .set({ name: verified.identity.name, identity: verified.identity.key ?? account.identity })
    .where("account_ref", "=", account.account_ref)
    .execute();
  await syncDetails(core, tx, account.account_ref, verified.identity.details);
}

/** A connection has its own state, apart from any task's (MFA-4). The material is dropped: it opens nothing any more. */
export async function loseConnection(
  core: Core,
  tx: Tx,
  account: AccountRow,
  route: string,
  state: "reauthentication_required" | "disconnected",
  reason: string,
): Promise<void> {
  const before = await findConnection(tx, account.account_ref, route);
  if (before?.material_ref) await core.vault.remove(tx, account.tenant_id, before.material_ref as VaultRef);
  await tx
    .insertInto("connection")
    .values({
      account_ref: account.account_ref,
      route,
      state,
      reason,
      material_ref: null,
      verified_at: null,
      updated_at: core.now(),
    })
    .onConflict((c) =>
      c.columns(["account_ref", "route"]).doUpdateSet({ state, reason, material_ref: null, updated_at: core.now() }),
    )
    .execute();
}

/** What is kept cannot be used: the person is asked again, and this connection alone is broken (U43). The material stays. */
export async function spoilConnection(
  core: Core,
  tx: Tx,
  account: AccountRow,
  route: string,
  reason: string,
): Promise<void> {
  await tx
    .updateTable("connection")
    .set({ state: "reauthentication_required", reason, updated_at: core.now() })
    .where("account_ref", "=", account.account_ref)
    .where("route", "=", route)
    .where("state", "=", "connected")
    .execute();
}
