import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { assert } from "@countersign/wire";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_MAX = 500;

/**
 * Kysely over Node's own SQLite. Integers are bound as such (a JavaScript number would be stored as REAL inside JSON
 * functions), and anything that is not a plain value is refused: SQLite would silently take an object for named
 * parameters and shift the rest.
 */
export function openSqlite(path: string): { readonly dialect: Dialect; readonly raw: DatabaseSync } {
  const raw = new DatabaseSync(path);
  raw.exec(
    `pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;`,
  );
  // An unsynced commit could lose the submission row at power loss, which would be a second order.
  assert(pragma(raw, "synchronous") === 2, "SQLite must run with synchronous=FULL");
  assert(pragma(raw, "journal_mode") === (path === ":memory:" ? "memory" : "wal"), "SQLite must run in WAL mode");
  const database = statementCache(raw);
  const dialect: Dialect = {
    createDriver: () => immediate(new SqliteDriver({ database })),
    createAdapter: () => new TransactionalDdl(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  return { dialect, raw };
}

/** Kysely says that SQLite cannot roll back DDL; it can, and a half-made schema is worse than none. */
class TransactionalDdl extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A deferred transaction that reads and then writes fails at once when another wrote in between. */
function immediate(driver: SqliteDriver): Driver {
  driver.beginTransaction = async (connection: DatabaseConnection): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  };
  return driver;
}

function statementCache(raw: DatabaseSync) {
  const cache = new Map<string, StatementSync>();
  return {
    close: () => raw.close(),
    prepare(sql: string) {
      let statement = cache.get(sql);
      if (statement === undefined) {
        if (cache.size >= STATEMENTS_MAX) cache.clear();
        statement = raw.prepare(sql);
        cache.set(sql, statement);
      }
      const prepared = statement;
      return {
        reader: prepared.columns().length > 0,
        all: (parameters: readonly unknown[]) => prepared.all(...parameters.map(bindable)).map((row) => ({ ...row })),
        run: (parameters: readonly unknown[]) => prepared.run(...parameters.map(bindable)),
        iterate: (parameters: readonly unknown[]) => prepared.iterate(...parameters.map(bindable)),
      };
    },
  };
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "number") {
    assert(Number.isSafeInteger(value), "only whole numbers are stored");
    return BigInt(value);
  }
  assert(value instanceof Uint8Array, "only text, whole numbers, bytes and null are stored");
  return value;
}

function pragma(raw: DatabaseSync, name: string): unknown {
  const row = raw.prepare(`pragma ${name}`).get();
  return row === undefined ? undefined : Object.values(row)[0];
}
