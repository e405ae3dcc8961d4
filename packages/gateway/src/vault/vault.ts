import type { VaultRef } from "@countersign/plugin";
import { err, ok, type Result, type Secret, secret } from "@countersign/wire";
import type { Db } from "../store/store.ts";
import { openText, type Sealer, sealText } from "./seal.ts";

/** Secrets at rest: sealed text by opaque reference, scoped by tenant (AUT-4). */
export interface Vault {
  put(db: Db, tenantId: string, value: Secret<string>): Promise<VaultRef>;
  replace(db: Db, tenantId: string, ref: VaultRef, value: Secret<string>): Promise<void>;
  get(db: Db, tenantId: string, ref: VaultRef): Promise<Result<Secret<string>, "unknown_ref">>;
  remove(db: Db, tenantId: string, ref: VaultRef): Promise<void>;
}

export interface VaultDeps {
  readonly sealer: Sealer;
  readonly newId: (prefix: string) => string;
  readonly now: () => number;
}

export function createVault(deps: VaultDeps): Vault {
  const context = (tenantId: string, ref: string) => `vault:${tenantId}:${ref}`;
  return {
    async put(db, tenantId, value) {
      const ref = deps.newId("vlt") as VaultRef;
      const sealed = sealText(deps.sealer, context(tenantId, ref), value.reveal());
      await db.insertInto("vault").values({ ref, tenant_id: tenantId, sealed, created_at: deps.now() }).execute();
      return ref;
    },
    async replace(db, tenantId, ref, value) {
      const sealed = sealText(deps.sealer, context(tenantId, ref), value.reveal());
      await db.updateTable("vault").set({ sealed }).where("ref", "=", ref).where("tenant_id", "=", tenantId).execute();
    },
    async get(db, tenantId, ref) {
      const row = await db
        .selectFrom("vault")
        .select("sealed")
        .where("ref", "=", ref)
        .where("tenant_id", "=", tenantId)
        .executeTakeFirst();
      return row === undefined
        ? err("unknown_ref")
        : ok(secret(openText(deps.sealer, context(tenantId, ref), row.sealed)));
    },
    async remove(db, tenantId, ref) {
      await db.deleteFrom("vault").where("ref", "=", ref).where("tenant_id", "=", tenantId).execute();
    },
  };
}
