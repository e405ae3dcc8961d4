import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { assert } from "@countersign/wire";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { createGroupCommit, type GroupCommit, type GroupedConnection, type Turn } from "./group-commit.ts";

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_MAX = 500;
const GROUP_TRANSACTIONS_MAX = 64;
const GROUP_OPEN_MS = 20;

/**
 * Kysely over Node's own SQLite. One connection writes; its transactions share durable commits (see group-commit.ts).
 * Another only reads, and sees what is durable: nobody is shown a change that a crash could still take back, and
 * reading waits for no writer. Integers are bound as such (a JavaScript number would be stored as REAL inside JSON
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
  const dialect: Dialect = {
    createDriver: () => new SqliteStoreDriver(path, raw),
    createAdapter: () => new StoreAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  return { dialect, raw };
}

class StoreAdapter extends SqliteAdapter {
  /** Kysely says that SQLite cannot roll back DDL; it can, and a half-made schema is worse than none. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
  /** Turns are given by the driver, which can then let transactions share a commit. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteStoreDriver implements Driver {
  readonly #path: string;
  readonly #raw: DatabaseSync;
  readonly #writer: Statements;
  readonly #group: GroupCommit;
  #reading: { readonly raw: DatabaseSync; readonly statements: Statements } | undefined;

  constructor(path: string, raw: DatabaseSync) {
    this.#path = path;
    this.#raw = raw;
    this.#writer = createStatements(raw);
    this.#group = createGroupCommit(grouped(raw), {
      transactions: GROUP_TRANSACTIONS_MAX,
      openMs: GROUP_OPEN_MS,
      nowMs: () => performance.now(),
      // In memory there is no sync to share.
      afterArrivals: path === ":memory:" ? (then) => then() : setImmediate,
    });
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#writer, () => this.#reader(), this.#group);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).keep();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    own(connection).drop();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#group.flush();
    this.#reading?.raw.close();
    this.#raw.close();
  }

  /** A database in memory has no second connection; the one it has reads too while nobody is in a transaction. */
  #reader(): Statements | undefined {
    if (this.#path === ":memory:") return this.#raw.isTransaction ? undefined : this.#writer;
    if (this.#reading === undefined) {
      const raw = new DatabaseSync(this.#path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
      this.#reading = { raw, statements: createStatements(raw) };
    }
    return this.#reading.statements;
  }
}

function own(connection: DatabaseConnection): SqliteConnection {
  assert(connection instanceof SqliteConnection, "a connection of this driver");
  return connection;
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: Statements;
  readonly #reader: () => Statements | undefined;
  readonly #group: GroupCommit;
  #turn: Turn | undefined;

  constructor(writer: Statements, reader: () => Statements | undefined, group: GroupCommit) {
    this.#writer = writer;
    this.#reader = reader;
    this.#group = group;
  }

  async begin(): Promise<void> {
    this.#turn = await this.#group.begin();
  }

  async keep(): Promise<void> {
    const turn = this.#turn;
    assert(turn !== undefined, "a transaction is kept once");
    this.#turn = undefined;
    await this.#group.keep(turn);
  }

  /** After a failed `keep` there is nothing left to undo. */
  drop(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn !== undefined) this.#group.drop(turn);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#turn !== undefined) return this.#writer<R>(query);
    const reader = query.query.kind === "SelectQueryNode" ? this.#reader() : undefined;
    if (reader !== undefined) return reader<R>(query);
    await this.begin();
    let result: QueryResult<R>;
    try {
      result = this.#writer<R>(query);
    } catch (error) {
      this.drop();
      throw error;
    }
    await this.keep();
    return result;
  }

  // biome-ignore lint/correctness/useYield: rows are small here, and a cursor would hold a snapshot open
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("the store does not stream");
  }
}

type Statements = <R>(query: CompiledQuery) => QueryResult<R>;

interface Prepared {
  readonly statement: StatementSync;
  readonly answersRows: boolean;
}

function createStatements(raw: DatabaseSync): Statements {
  const cache = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    if (cache.size >= STATEMENTS_MAX) cache.clear();
    const statement = raw.prepare(sql);
    const made = { statement, answersRows: statement.columns().length > 0 };
    cache.set(sql, made);
    return made;
  };
  return <R>({ sql, parameters }: CompiledQuery): QueryResult<R> => {
    const { statement, answersRows } = prepare(sql);
    const values = parameters.map(bindable);
    // Rows come without a prototype; a plain object is what everybody expects.
    if (answersRows) return { rows: statement.all(...values).map((row) => ({ ...row }) as R) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
}

/** A deferred transaction that reads and then writes fails at once when another wrote in between, so: immediate. */
function grouped(raw: DatabaseSync): GroupedConnection {
  const statements = {
    begin: raw.prepare("begin immediate"),
    commit: raw.prepare("commit"),
    rollback: raw.prepare("rollback"),
    savepoint: raw.prepare("savepoint grouped"),
    release: raw.prepare("release grouped"),
    undo: raw.prepare("rollback to grouped"),
  };
  return {
    begin: () => void statements.begin.run(),
    commit: () => void statements.commit.run(),
    rollback: () => void statements.rollback.run(),
    savepoint: () => void statements.savepoint.run(),
    release: () => void statements.release.run(),
    undo() {
      statements.undo.run();
      statements.release.run();
    },
    isOpen: () => raw.isOpen && raw.isTransaction,
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
