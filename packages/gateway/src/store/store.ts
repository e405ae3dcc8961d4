import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import { Kysely, type Transaction } from "kysely";
import { bringUpToDate } from "./migrate.ts";
import { SQLITE_TYPES } from "./migrations/define.ts";
import { isDuplicateKey } from "./postgres/errors.ts";
import type { StoreProblem } from "./problems.ts";
import type { Schema } from "./schema.ts";
import { inScope, type Scope } from "./scope.ts";
import { openSqlite } from "./sqlite.ts";

/** Either the store or a transaction on it: repositories take it as their first argument. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

/** The embedded store in a directory (`:memory:` keeps it in memory), or a PostgreSQL database that gateways share. */
export type StoreWhere =
  | { readonly kind: "sqlite"; readonly dataDir: string }
  | { readonly kind: "postgres"; readonly url: Secret<string> };

export interface Store {
  readonly kind: StoreWhere["kind"];
  readonly db: Db;
  /**
   * One after another, as far as anybody can tell: `BEGIN IMMEDIATE` on SQLite, SERIALIZABLE on PostgreSQL. There
   * **`work` may run again from the start** when another transaction came between: it does nothing but database work
   * through `tx`, and keeps nothing of an earlier run.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work`, and all that it awaits, with the rows of one tenant, or of all ("system"). On PostgreSQL the database
   * holds it to that (row-level security), and work outside every scope sees no tenant's row; a transaction keeps the
   * scope that it began in.
   */
  as<T>(scope: Scope, work: () => T): T;
  /** Runs `work` while no other process of this store is in here: what the first start makes is made once. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Says to the other processes of this store that a due time may have moved; losing it is harmless. */
  hint(): void;
  /** Calls `heard` for each hint of another process. Once. */
  onHint(heard: () => void): void;
  close(): Promise<void>;
}

/** Opens a store and brings it up to date. */
export async function openStore(
  where: StoreWhere,
  options: { readonly log?: Log } = {},
): Promise<Result<Store, StoreProblem>> {
  if (where.kind === "sqlite") return openEmbedded(where.dataDir);
  // Its driver is no business of a gateway that has a file.
  const { openPostgres } = await import("./postgres/open.ts");
  return openPostgres(where.url, options.log);
}

async function openEmbedded(dataDir: string): Promise<Result<Store, StoreProblem>> {
  const memory = dataDir === ":memory:";
  if (!memory) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = memory ? ":memory:" : join(dataDir, "gateway.db");
  const fresh = !memory && !existsSync(file);
  const { dialect } = openSqlite(file);
  if (fresh) chmodSync(file, 0o600);
  const db = new Kysely<Schema>({ dialect });
  const current = await bringUpToDate(db, SQLITE_TYPES);
  if (!current.ok) {
    await db.destroy();
    return err(current.reason);
  }
  return ok({
    kind: "sqlite",
    db,
    transaction: (work) => db.transaction().execute(work),
    as: inScope,
    // This process is the store's only one.
    alone: (work) => work(),
    hint: () => {},
    onHint: () => {},
    close: () => db.destroy(),
  });
}

/** True for a unique-key refusal, on which claims and single use stand. */
export function isUniqueViolation(error: unknown): boolean {
  if (isDuplicateKey(error)) return true;
  if (typeof error !== "object" || error === null || !("errcode" in error)) return false;
  return error.errcode === 1555 || error.errcode === 2067;
}
