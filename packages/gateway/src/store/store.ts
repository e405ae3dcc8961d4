import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, type Transaction } from "kysely";
import { Migrator } from "kysely/migration";
import { SQLITE_TYPES } from "./migrations/define.ts";
import { migrations } from "./migrations/migrations.ts";
import type { Schema } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

/** Either the store or a transaction on it: repositories take it as their first argument. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

export interface Store {
  readonly db: Db;
  /** `BEGIN IMMEDIATE`: the first statement already holds the write lock. Use only `tx` inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens (and brings up to date) the embedded store in `dataDir`; `:memory:` keeps it in memory. */
export async function openStore(dataDir: string): Promise<Store> {
  const memory = dataDir === ":memory:";
  if (!memory) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = memory ? ":memory:" : join(dataDir, "gateway.db");
  const fresh = !memory && !existsSync(file);
  const { dialect } = openSqlite(file);
  if (fresh) chmodSync(file, 0o600);
  const db = new Kysely<Schema>({ dialect });
  const migrator = new Migrator({ db, provider: migrations(SQLITE_TYPES) });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return {
    db,
    transaction: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  };
}

/** True for a unique-key refusal, on which claims and single use stand. */
export function isUniqueViolation(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return false;
  return error.errcode === 1555 || error.errcode === 2067;
}
