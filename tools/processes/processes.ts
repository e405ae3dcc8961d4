import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { logTailLines, pollMs, processGoneMs } from "./limits.ts";

/** Something outside our control did not work; the message is one sentence for a person. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** PostgreSQL refuses to run as root; this is the account it runs as instead. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly runAs?: RunAs | undefined;
}

export interface Running {
  /** Also the id of the process group it leads. */
  readonly pid: number;
  /** Resolves to the exit code, or to null after a signal. */
  readonly exited: Promise<number | null>;
  /** True once `exited` has resolved. */
  gone(): boolean;
}

// The npm settings are those that decide where packages come from.
const inherited = [
  ...["HOME", "LANG", "TMPDIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "npm_config_registry", "npm_config_cache", "npm_config_userconfig"],
];

/** The environment children get: nothing of ours but what they need, and this Node first in PATH. */
function childEnv(extra: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? "/usr/bin:/bin"}`;
  return { ...kept, ...extra, PATH: path };
}

/** Starts a program as the leader of its own process group, its output appended to a file. */
export async function launch(what: Launch): Promise<Running> {
  const log = openSync(what.logFile, "a", 0o644);
  try {
    const child = spawn(what.command, what.args, {
      cwd: what.cwd,
      env: childEnv(what.env ?? {}),
      stdio: ["ignore", log, log],
      detached: true,
      ...(what.runAs ?? {}),
    });
    let over = false;
    const exited = new Promise<number | null>((resolve) => {
      child.on("exit", (code) => {
        over = true;
        resolve(code);
      });
    });
    const pid = await new Promise<number>((resolve, reject) => {
      child.on("error", (cause) => reject(new ToolError(`Could not start ${what.command}: ${cause.message}.`)));
      child.on("spawn", () => resolve(child.pid ?? 0));
    });
    return { pid, exited, gone: () => over };
  } finally {
    closeSync(log);
  }
}

/** Runs a program to its end. @throws {ToolError} when it fails or takes longer than `timeoutMs`. */
export async function runToEnd(what: Launch & { readonly doing: string; readonly timeoutMs: number }): Promise<void> {
  const running = await launch(what);
  const giveUp = new AbortController();
  const code = await Promise.race([
    running.exited,
    sleep(what.timeoutMs, "late" as const, { signal: giveUp.signal }).catch(() => "late" as const),
  ]);
  giveUp.abort();
  if (code === 0) return;
  await killGroup(running.pid);
  const how = code === "late" ? `took longer than ${what.timeoutMs / 1000} s` : `ended with code ${code}`;
  throw new ToolError(`${what.doing} ${how}:\n${await tail(what.logFile)}`);
}

/** Kills a whole process group and waits until no member is left. */
export async function killGroup(pid: number): Promise<void> {
  const until = Date.now() + processGoneMs;
  while (signal(-pid, "SIGKILL") && (await hasLiveMember(pid))) {
    if (Date.now() > until) throw new ToolError(`Process group ${pid} does not end.`);
    await sleep(pollMs);
  }
}

/** The dead that a slow init has not yet collected answer signals too; Linux tells them apart. */
async function hasLiveMember(group: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // pid (name) state parent group ...: the name may hold anything, even a bracket.
    const [state, , its] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(its) === group && state !== "Z" && state !== "X") return true;
  }
  return false;
}

/** @returns false when there is no such process or group. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/** Asks again and again until `ready` says true. @throws {ToolError} after `timeoutMs` or once `dead` says true. */
export async function waitUntil(
  doing: string,
  timeoutMs: number,
  ready: () => Promise<boolean>,
  dead: () => boolean,
): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (!(await ready())) {
    if (dead()) throw new ToolError(`${doing}: the process ended early.`);
    if (Date.now() > until) throw new ToolError(`${doing}: not ready after ${timeoutMs / 1000} s.`);
    await sleep(pollMs);
  }
}

/** A TCP port of the loopback address that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === "string") throw new ToolError("The system gave no free port.");
  return address.port;
}

/** The last lines of a log, for an error message. */
export async function tail(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-logTailLines).join("\n");
}
