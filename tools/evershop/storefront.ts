import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cluster, databasePort } from "../postgres/cluster.ts";
import { commandMs } from "../processes/limits.ts";
import { killGroup, launch, runToEnd, ToolError, tail, waitUntil } from "../processes/processes.ts";
import { databaseName, databaseUser } from "./cluster.ts";
import { storefrontReadyMs } from "./limits.ts";

export interface Storefront {
  readonly pid: number;
  /** Where it listens, `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Ends it with its event and cron workers, which a signal to the main process alone would leave. */
  stop(): Promise<void>;
}

export interface StorefrontSettings {
  readonly app: string;
  readonly run: string;
  readonly cluster: Cluster;
  readonly port: number;
  /** The origin that pages and redirects name, when people come through a proxy. */
  readonly publicOrigin: string;
}

export const evershopCommand = join("node_modules", "@evershop", "evershop", "dist", "bin", "evershop.js");

/** A page read without a session. The address keeps our reads out of the rate limits of the test's own browser. */
export async function pageStatus(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { headers: { "x-forwarded-for": "198.51.100.1" }, redirect: "manual" });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** @param onStarted is told the process group at once, so that it can be ended whatever happens next. */
export async function startStorefront(
  settings: StorefrontSettings,
  onStarted: (pid: number) => void,
): Promise<Storefront> {
  const { app, run, port } = settings;
  const logFile = join(run, "storefront.log");
  const loopback = fileURLToPath(new URL("./loopback.mjs", import.meta.url));
  const running = await launch({
    command: process.execPath,
    args: ["--import", loopback, evershopCommand, "start"],
    cwd: app,
    env: environment(settings),
    logFile,
  });
  onStarted(running.pid);
  const origin = `http://127.0.0.1:${port}`;
  try {
    const answers = async () => (await pageStatus(`${origin}/`)) === 200;
    await waitUntil("Starting EverShop", storefrontReadyMs, answers, running.gone);
  } catch (cause) {
    await killGroup(running.pid);
    throw new ToolError(`EverShop did not start:\n${await tail(logFile)}`, { cause });
  }
  return { pid: running.pid, origin, stop: () => killGroup(running.pid) };
}

/** Puts EverShop's demo categories and products into the database. */
export async function seedStorefront(settings: StorefrontSettings): Promise<void> {
  await runToEnd({
    doing: "Seeding EverShop",
    command: process.execPath,
    args: [evershopCommand, "seed", "--attributes", "--categories", "--products"],
    cwd: settings.app,
    env: environment(settings),
    logFile: join(settings.run, "seed.log"),
    timeoutMs: commandMs,
  });
}

function environment(settings: StorefrontSettings): Record<string, string> {
  return {
    PORT: String(settings.port),
    EVERSHOP_HOME_URL: settings.publicOrigin,
    DB_HOST: settings.cluster.socketFolder,
    DB_PORT: String(databasePort),
    DB_NAME: databaseName,
    DB_USER: databaseUser,
    DB_PASSWORD: "",
    DB_SSLMODE: "disable",
  };
}
