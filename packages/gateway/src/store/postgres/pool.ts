import { assert } from "@countersign/wire";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { NO_SCOPE, scopeSetting } from "../scope.ts";
import { CONNECT_MS, CONNECTIONS_MAX, IDLE_IN_TRANSACTION_MS } from "./limits.ts";
import { createStatements, isStalePlan, type Statements } from "./statements.ts";
import { bindable, COLUMN_TYPES } from "./values.ts";

const SET_SCOPE = "select set_config('app.tenant', $1, false)";

export function connectionConfig(url: string): PoolConfig {
  return {
    connectionString: url,
    application_name: "countersign",
    types: COLUMN_TYPES,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    // A process that was stopped inside a transaction would otherwise hold its row locks for as long as it stands still.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

export function openPool(url: string): Pool {
  const pool = new Pool({ ...connectionConfig(url), max: CONNECTIONS_MAX });
  // A connection that breaks fails the query on it, or is replaced at its next use; unheard, the event itself would end
  // the process. The pool hears it for idle connections only, and one that was stopped in a transaction is not idle.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * The pool as Kysely uses it. Each connection that is handed out carries the scope of the work that asked for it
 * (row-level security reads it); setting it costs a round trip only when the last work had another one.
 */
export function scopedPool(pool: Pool, bind: (value: unknown) => unknown = bindable): PostgresPool {
  const clients = new WeakMap<PoolClient, ScopedClient>();
  const statements = createStatements();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const setting = scopeSetting();
      const raw = await pool.connect();
      let scoped = clients.get(raw);
      if (scoped === undefined) {
        scoped = scopedClient(raw, bind, statements);
        clients.set(raw, scoped);
      }
      await scoped.enter(setting);
      return scoped.client;
    },
  };
}

interface ScopedClient {
  readonly client: PostgresPoolClient;
  enter(setting: string): Promise<void>;
}

/** The scope that each connection is in, through whichever of its users. */
const inForce = new WeakMap<PoolClient, string>();

function scopedClient(raw: PoolClient, bind: (value: unknown) => unknown, statements: Statements): ScopedClient {
  async function query(text: unknown, values?: readonly unknown[]): Promise<unknown> {
    assert(typeof text === "string", "queries are not streamed");
    const bound = (values ?? []).map(bind);
    try {
      return await raw.query(statements.query(text, bound));
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      statements.forget();
      // Inside a transaction this fails too, for it is aborted: then the transaction is run again.
      return raw.query(statements.query(text, bound)).catch(() => {
        throw error;
      });
    }
  }
  const client = {
    query: query as PostgresPoolClient["query"],
    release: (destroy?: boolean) => raw.release(destroy),
  };
  return {
    client,
    async enter(setting) {
      if (setting === (inForce.get(raw) ?? NO_SCOPE)) return;
      try {
        await raw.query(SET_SCOPE, [setting]);
        inForce.set(raw, setting);
      } catch (error) {
        // Whose rows it would show is no longer certain.
        raw.release(true);
        throw error;
      }
    },
  };
}
