import { AsyncLocalStorage } from "node:async_hooks";
import { assert } from "@countersign/wire";
import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { tokenHash } from "../ids.ts";
import { type Db, isUniqueViolation, type Store, type Tx } from "../store/store.ts";
import { openText, type Sealer, sealText } from "../vault/seal.ts";
import { SWEEP_EVERY_MS } from "./limits.ts";
import { sweepExpired } from "./records.ts";

export interface AdapterDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Metadata of a client; asked anew each time. */
  readonly clientOf: (db: Db, clientId: string) => Promise<AdapterPayload | undefined>;
}

export interface OAuthRecords {
  /** What `oidc-provider` asks for, once a model. */
  readonly adapterFor: (model: string) => Adapter;
  /** Everything the library stores inside `work` goes through `tx`: the outer handle would wait for it for ever. */
  within<T>(tx: Tx, work: () => Promise<T>): Promise<T>;
}

/**
 * The rows behind the authorization server. A stolen copy of the table is of no use: ids are hashed and payloads,
 * which hold bearer values, are sealed to their row. Single use stands on conditional writes, because the library
 * reads first and marks later (six parallel redemptions gave three tokens with a plain adapter).
 */
export function createRecords(deps: AdapterDeps): OAuthRecords {
  const scope = new AsyncLocalStorage<Tx>();
  const db = (): Db => scope.getStore() ?? deps.store.db;
  let sweepAt = deps.now() + SWEEP_EVERY_MS;
  const beforeWrite = async () => {
    if (deps.now() < sweepAt) return;
    sweepAt = deps.now() + SWEEP_EVERY_MS;
    await sweepExpired(db(), deps.now());
  };
  return {
    adapterFor: (model) =>
      model === "Client" ? clientAdapter(db, deps.clientOf) : recordAdapter({ ...deps, model, db, beforeWrite }),
    within: (tx, work) => scope.run(tx, work),
  };
}

interface RecordDeps extends AdapterDeps {
  readonly model: string;
  readonly db: () => Db;
  readonly beforeWrite: () => Promise<void>;
}

function recordAdapter(deps: RecordDeps): Adapter {
  const { model, sealer, now } = deps;
  const context = (idHash: string) => `oauth:${model}:${idHash}`;

  async function read(column: "id" | "uid" | "user_code", value: string): Promise<AdapterPayload | undefined> {
    const row = await deps
      .db()
      .selectFrom("oauth_record")
      .select(["id", "sealed", "consumed_at"])
      .where("model", "=", model)
      .where(column, "=", tokenHash(value))
      .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const payload = parsePayload(openText(sealer, context(row.id), row.sealed));
    return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(row.consumed_at / 1000) };
  }

  return {
    async upsert(idValue, payload, expiresIn) {
      await deps.beforeWrite();
      const id = tokenHash(idValue);
      const fields = {
        grant_id: hashed(payload.grantId),
        uid: hashed(payload.uid),
        user_code: hashed(payload.userCode),
        sealed: sealText(sealer, context(id), JSON.stringify(payload)),
        expires_at: expiresIn === undefined ? null : now() + expiresIn * 1000,
      };
      if (model === "ReplayDetection") return insertOnce(deps, { model, id, consumed_at: null, ...fields });
      await deps
        .db()
        .insertInto("oauth_record")
        .values({ model, id, consumed_at: null, ...fields })
        // `consumed_at` stays as it is: writing a record again never makes it fresh.
        .onConflict((conflict) => conflict.columns(["model", "id"]).doUpdateSet(fields))
        .execute();
    },
    find: (id) => read("id", id),
    findByUid: (uid) => read("uid", uid),
    findByUserCode: (userCode) => read("user_code", userCode),
    async consume(id) {
      const done = await deps
        .db()
        .updateTable("oauth_record")
        .set({ consumed_at: now() })
        .where("model", "=", model)
        .where("id", "=", tokenHash(id))
        .where("consumed_at", "is", null)
        .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]))
        .executeTakeFirst();
      if (done.numUpdatedRows !== 1n) throw new errors.InvalidGrant("used by another request at the same time");
    },
    async destroy(id) {
      await deps.db().deleteFrom("oauth_record").where("model", "=", model).where("id", "=", tokenHash(id)).execute();
    },
    async revokeByGrantId(grantId) {
      await deps.db().deleteFrom("oauth_record").where("grant_id", "=", tokenHash(grantId)).execute();
    },
  };
}

/** The first one wins; the library's own look-before-write lets two through. */
async function insertOnce(
  deps: RecordDeps,
  row: {
    readonly model: string;
    readonly id: string;
    readonly grant_id: string | null;
    readonly uid: string | null;
    readonly user_code: string | null;
    readonly sealed: Uint8Array;
    readonly expires_at: number | null;
    readonly consumed_at: null;
  },
): Promise<void> {
  const db = deps.db();
  await db
    .deleteFrom("oauth_record")
    .where("model", "=", row.model)
    .where("id", "=", row.id)
    .where("expires_at", "<=", deps.now())
    .execute();
  try {
    await db.insertInto("oauth_record").values(row).execute();
  } catch (error) {
    if (isUniqueViolation(error)) throw new errors.InvalidDpopProof("this proof was used before");
    throw error;
  }
}

/** Clients are never written through the library: a person's yes, a document or the operator makes one (AUT-2). */
function clientAdapter(db: () => Db, clientOf: AdapterDeps["clientOf"]): Adapter {
  const refuse = async (): Promise<never> => {
    throw new Error("clients are not written through the authorization server");
  };
  return {
    find: (clientId) => clientOf(db(), clientId),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  };
}

function hashed(value: string | undefined): string | null {
  return value === undefined ? null : tokenHash(value);
}

function parsePayload(text: string): AdapterPayload {
  const value: unknown = JSON.parse(text);
  assert(typeof value === "object" && value !== null && !Array.isArray(value), "a sealed record is an object");
  return { ...value };
}
