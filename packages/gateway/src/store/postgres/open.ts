import { randomUUID } from "node:crypto";
import type { Log } from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import { Kysely, PostgresDialect } from "kysely";
import { Client, type Pool } from "pg";
import { bringUpToDate } from "../migrate.ts";
import { POSTGRES_TYPES } from "../migrations/define.ts";
import type { StoreProblem } from "../problems.ts";
import type { Schema } from "../schema.ts";
import { inScope } from "../scope.ts";
import type { Store } from "../store.ts";
import { connectProblem, isMissingRight, isSerializationFailure } from "./errors.ts";
import { createHints } from "./hints.ts";
import { CONNECTIONS_MAX, SERVER_VERSION_MIN } from "./limits.ts";
import { connectionConfig, openPool, scopedPool } from "./pool.ts";
import { serializable } from "./serializable.ts";
import { createTurns } from "./turns.ts";

/** One number for all that only one process at a time may do (an advisory lock of the session). */
const ALONE = 5_017_360_441;

/** Opens (and brings up to date) the store in a PostgreSQL database that any number of gateways share. */
export async function openPostgres(url: Secret<string>, log: Log | undefined): Promise<Result<Store, StoreProblem>> {
  const config = connectionConfig(url.reveal());
  if (!isPostgresUrl(url.reveal())) return err("bad_url");
  const pool = openPool(url.reveal());
  const fit = await checkServer(pool);
  if (!fit.ok) {
    await pool.end();
    return fit;
  }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: scopedPool(pool) }) });
  // Kysely's look at the catalogue binds truth values, which nothing of ours does.
  const migrating = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: scopedPool(pool, (value) => value) }) });
  const turns = createTurns(CONNECTIONS_MAX, isSerializationFailure);
  const hints = createHints({ pool, config, self: randomUUID(), log });
  const store: Store = {
    kind: "postgres",
    db,
    transaction: (work) => serializable(db, turns, work),
    as: inScope,
    alone: (work) => alone(pool, work),
    hint: hints.send,
    onHint: hints.listen,
    async close() {
      await hints.close();
      await db.destroy();
    },
  };
  try {
    const current = await store.alone(() => inScope("system", () => bringUpToDate(migrating, POSTGRES_TYPES)));
    if (current.ok) return ok(store);
    await store.close();
    return current;
  } catch (error) {
    await store.close();
    if (isMissingRight(error)) return err("role_cannot_create");
    throw error;
  }
}

function isPostgresUrl(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url)) return false;
  try {
    // The driver reads the URL here and connects later; its error would show the URL, so it goes no further.
    return new Client({ connectionString: url }) !== undefined;
  } catch {
    return false;
  }
}

interface Server {
  readonly version: number;
  readonly synchronous_commit: string;
  readonly bypasses: boolean;
}

async function checkServer(pool: Pool): Promise<Result<undefined, StoreProblem>> {
  let server: Server | undefined;
  try {
    const { rows } = await pool.query<Server>(
      `select current_setting('server_version_num')::int as version,
              current_setting('synchronous_commit') as synchronous_commit,
              (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses`,
    );
    server = rows[0];
  } catch (error) {
    return err(connectProblem(error));
  }
  if (server === undefined || server.version < SERVER_VERSION_MIN) return err("too_old");
  if (server.synchronous_commit === "off") return err("unsafe_commit");
  if (server.bypasses) return err("role_bypasses_rls");
  return ok(undefined);
}

async function alone<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query("select pg_advisory_lock($1)", [ALONE]);
    try {
      return await work();
    } finally {
      await client.query("select pg_advisory_unlock($1)", [ALONE]);
      broken = false;
    }
  } finally {
    // A connection that may still hold the lock is closed, which lets it go.
    client.release(broken);
  }
}
