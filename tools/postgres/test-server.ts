import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../packages/gateway/src/store/store.ts";
import { secret } from "../../packages/wire/src/index.ts";
import { makeRunFolder } from "../processes/run-folder.ts";
import { type Cluster, createCluster, databasePort, startCluster } from "./cluster.ts";
import { connectionsMax } from "./limits.ts";
import { postgresPrograms } from "./programs.ts";

// Vitest's global setup: one PostgreSQL for a whole run, started when the first test asks for a database and ended with
// the run. Tests are other processes; they ask through a socket that this variable names (see test-database.ts).
export const SERVER_ENV = "COUNTERSIGN_TEST_POSTGRES";
export const SUPERUSER = "keeper";
/** As whom gateways connect: what an operator is told to make, neither superuser nor BYPASSRLS. */
export const ROLE = "countersign";

/** A database with all tables and no rows, to be copied: migrating takes longer than a short test. */
export const MIGRATED = "migrated";

export function testUrl(host: string, role: string, database: string): string {
  return `postgres://${role}@/${database}?host=${encodeURIComponent(host)}&port=${databasePort}`;
}

export type ServerAnswer = { readonly host: string } | { readonly problem: string };

interface Running {
  readonly door: Server;
  readonly folder: string;
  users: number;
  server: Promise<{ readonly cluster: Cluster; end(): Promise<void> }> | undefined;
}

let running: Running | undefined;

export async function setup(): Promise<void> {
  if (running !== undefined) {
    running.users += 1;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "countersign-pg-"));
  await chmod(folder, 0o700);
  const path = join(folder, "ask");
  const door = createServer((socket) => void answer(socket));
  running = { door, folder, users: 1, server: undefined };
  await new Promise<void>((resolve, reject) => {
    door.once("error", reject);
    door.listen(path, resolve);
  });
  door.unref();
  process.env[SERVER_ENV] = path;
}

export async function teardown(): Promise<void> {
  const ending = running;
  if (ending === undefined) return;
  ending.users -= 1;
  if (ending.users > 0) return;
  running = undefined;
  delete process.env[SERVER_ENV];
  ending.door.close();
  const server = await ending.server?.catch(() => undefined);
  await server?.end();
  await rm(ending.folder, { recursive: true, force: true });
}

async function answer(socket: Socket): Promise<void> {
  socket.on("error", () => {});
  const reply = (what: ServerAnswer): void => void socket.end(`${JSON.stringify(what)}\n`);
  try {
    if (running === undefined) throw new Error("the test run is over");
    running.server ??= start();
    const { cluster } = await running.server;
    reply({ host: cluster.socketFolder });
  } catch (error) {
    reply({ problem: error instanceof Error ? error.message : String(error) });
  }
}

async function start() {
  const run = await makeRunFolder("postgres");
  try {
    const place = { programs: await postgresPrograms(), run: run.path, user: SUPERUSER, database: SUPERUSER };
    await createCluster(place);
    const cluster = await startCluster(place, [`max_connections=${connectionsMax}`], (pid) =>
      run.keeper.keep("postgres", pid),
    );
    await cluster.query(`create role ${ROLE} login nosuperuser nobypassrls`);
    await cluster.query(`create database ${MIGRATED} owner ${ROLE}`);
    const store = await openStore({ kind: "postgres", url: secret(testUrl(cluster.socketFolder, ROLE, MIGRATED)) });
    if (!store.ok) throw new Error(`the store is refused: ${store.reason}`);
    await store.value.close();
    // A database with a session in it cannot be copied.
    await cluster.query(`alter database ${MIGRATED} with allow_connections false`);
    await cluster.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [MIGRATED]);
    return {
      cluster,
      async end() {
        await cluster.discard();
        await run.remove();
      },
    };
  } catch (error) {
    await run.remove();
    throw error;
  }
}
