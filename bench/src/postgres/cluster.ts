import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert } from "@countersign/wire";
import pg from "pg";
import { freePort } from "../scratch.ts";

const READY_MS = 20_000;
const LOOK_MS = 50;
const ROLE = "bench";
/** PostgreSQL refuses to run as root; this account owns nothing else. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const PACKAGES = "/usr/lib/postgresql";

export interface Cluster {
  /** Makes an empty database, owned by a role without special rights; answers its URL. */
  database(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Undefined when this machine has no PostgreSQL packages. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(PACKAGES) ? readdirSync(PACKAGES).map(Number).filter(Number.isInteger) : [];
  const newest = Math.max(...versions);
  return Number.isFinite(newest) ? join(PACKAGES, String(newest), "bin") : undefined;
}

/** A PostgreSQL of our own on 127.0.0.1 with the server's own settings: every commit is synced. Gone afterwards. */
export async function startCluster(programs: string): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-pg-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const account = process.getuid?.() === 0 ? NOBODY : undefined;
  chmodSync(folder, 0o711);
  if (account !== undefined) chownSync(data, account.uid, account.gid);
  const init = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"],
    { ...account, cwd: data, encoding: "utf8" },
  );
  assert(init.status === 0, `initdb: ${init.stderr}`);
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=120"];
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, "-p", String(port), ...settings.flatMap((s) => ["-c", s])],
    { ...account, cwd: data, stdio: "ignore" },
  );
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const ask = async (sql: string): Promise<void> => {
    const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const stop = async (): Promise<void> => {
    server.kill("SIGINT");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  const end = performance.now() + READY_MS;
  while (
    !(await ask("select 1").then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > end || server.exitCode !== null) {
      await stop();
      throw new Error("PostgreSQL did not start");
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  await ask(`create role ${ROLE} login`);
  return {
    async database(name) {
      await ask(`create database ${name} owner ${ROLE}`);
      return `postgresql://${ROLE}@127.0.0.1:${port}/${name}`;
    },
    stop,
  };
}
