import { chmod, chown, cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "pg";
import { commandMs } from "../processes/limits.ts";
import { launch, type RunAs, runToEnd, signal, ToolError, tail, waitUntil } from "../processes/processes.ts";
import { databaseReadyMs } from "./limits.ts";

export type Row = Readonly<Record<string, unknown>>;

/** A private PostgreSQL, for one run: its data and its only door, a Unix socket, are in the folder `run`. */
export interface ClusterPlace {
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  readonly run: string;
  /** The cluster's superuser, and the database it connects to; made when missing. */
  readonly user: string;
  readonly database: string;
}

export interface Cluster {
  readonly pid: number;
  /** No TCP port is opened. */
  readonly socketFolder: string;
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** A clean shutdown, after which the data folder may be copied. */
  stop(): Promise<void>;
  /** An immediate end, when the data folder is thrown away. */
  discard(): Promise<void>;
}

/** The number in the socket's name. */
export const databasePort = 5432;

const nobody: RunAs = { uid: 65_534, gid: 65_534 };

/** PostgreSQL refuses to run as root. Undefined when we may run it as ourselves. */
export function otherAccount(): RunAs | undefined {
  return process.getuid?.() === 0 ? nobody : undefined;
}

/** Makes an empty database in `run/data`. @throws {ToolError} */
export async function createCluster(place: ClusterPlace): Promise<void> {
  await privateFolders(place.run);
  const data = join(place.run, "data");
  const trust = ["-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await runToEnd({
    doing: "Creating the database",
    command: join(place.programs, "initdb"),
    // One-megabyte log segments: the folder may be copied for every start.
    args: ["-D", data, "-U", place.user, ...trust, "--wal-segsize=1"],
    cwd: place.run,
    logFile: join(place.run, "postgres.log"),
    runAs: otherAccount(),
    timeoutMs: commandMs,
  });
}

/** Copies a stopped database into `run/data`. */
export async function copyCluster(template: string, run: string): Promise<void> {
  await privateFolders(run);
  await cp(template, join(run, "data"), { recursive: true });
  await giveAway(join(run, "data"), otherAccount());
}

/**
 * Starts PostgreSQL on `run/data`, without durability: the data is thrown away.
 * @param settings more of `postgresql.conf`, as `name=value`.
 * @param onStarted is told the process at once, so that it can be ended whatever happens next.
 * @throws {ToolError}
 */
export async function startCluster(
  place: ClusterPlace,
  settings: readonly string[],
  onStarted: (pid: number) => void,
): Promise<Cluster> {
  const { run } = place;
  const logFile = join(run, "postgres.log");
  const socketFolder = join(run, "socket");
  const all = ["listen_addresses=", "fsync=off", "full_page_writes=off", ...settings];
  const server = await launch({
    command: join(place.programs, "postgres"),
    args: ["-D", join(run, "data"), "-k", socketFolder, "-p", String(databasePort), ...all.flatMap((s) => ["-c", s])],
    cwd: run,
    logFile,
    runAs: otherAccount(),
  });
  onStarted(server.pid);
  const open = (database: string): Pool => {
    const at = { host: socketFolder, port: databasePort, user: place.user, database };
    const pool = new Pool({ ...at, max: 4, allowExitOnIdle: true });
    pool.on("error", () => {}); // idle connections break when the server stops
    return pool;
  };
  const first = open("postgres");
  try {
    const answers = () =>
      first.query("select 1").then(
        () => true,
        () => false,
      );
    await waitUntil("Starting PostgreSQL", databaseReadyMs, answers, server.gone);
    const known = await first.query("select 1 from pg_database where datname = $1", [place.database]);
    if (known.rows.length === 0) await first.query(`create database ${place.database}`);
  } catch (cause) {
    signal(server.pid, "SIGQUIT");
    throw new ToolError(`PostgreSQL did not start:\n${await tail(logFile)}`, { cause });
  } finally {
    await first.end();
  }
  const pool = open(place.database);
  const end = async (how: "SIGINT" | "SIGQUIT") => {
    signal(server.pid, how);
    await waitUntil(
      "Stopping PostgreSQL",
      databaseReadyMs,
      async () => server.gone(),
      () => false,
    );
    await pool.end();
  };
  return {
    pid: server.pid,
    socketFolder,
    query: async (sql, values = []) => (await pool.query(sql, [...values])).rows as readonly Row[],
    // "Fast" (SIGINT) ends sessions and writes a checkpoint.
    stop: () => end("SIGINT"),
    discard: () => end("SIGQUIT"),
  };
}

async function privateFolders(run: string): Promise<void> {
  await chmod(run, 0o711);
  for (const folder of [join(run, "socket"), join(run, "data")]) {
    await mkdir(folder, { mode: 0o700 });
    await giveAway(folder, otherAccount());
  }
}

async function giveAway(path: string, to: RunAs | undefined): Promise<void> {
  if (to === undefined) return;
  await chown(path, to.uid, to.gid);
  for (const entry of await readdir(path, { recursive: true })) await chown(join(path, entry), to.uid, to.gid);
}
