import { type ChildProcess, execFile, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import { freePort } from "../processes/processes.ts";
import { demoEndsMs, demoReadyMs, taskMs } from "./limits.ts";

const command = fileURLToPath(new URL("../../packages/countersign/src/main.ts", import.meta.url));
const documentBytesMax = 4 * 1024 * 1024;

/** What `countersign demo` prints for the person who started it; all that a newcomer knows. */
export interface Printed {
  /** Signs one browser in, once. */
  readonly link: string;
  readonly email: string;
  readonly password: string;
  /** Where the practice person's codes are shown. */
  readonly practice: string;
  readonly issuer: string;
  readonly dataDir: string;
}

/** The product as a newcomer starts it, in a process of its own. */
export interface Demo extends Printed {
  /** What the demonstration's agent ends with. */
  report(): Promise<JsonObject>;
  /** Another command of the product, on this gateway. @returns what it prints. */
  countersign(...args: readonly string[]): Promise<string>;
  /** What it has said in the terminal, when it has ended by itself. */
  lastWords(): string | undefined;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const port = await freePort();
  const args = [command, "demo", "--keep", "--json", "--port", String(port)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => {
    said.out += part.toString("utf8");
  });
  child.stderr.on("data", (part: Buffer) => {
    said.err += part.toString("utf8");
  });
  try {
    const printed = await waitFor(child, () => readPrinted(said.err), "the demonstration does not start", demoReadyMs);
    return {
      ...printed,
      report: () => waitFor(child, () => readReport(said.out), "the demonstration's agent does not end", taskMs),
      countersign: async (...more) => {
        const run = [command, ...more, "--data", printed.dataDir];
        return (await promisify(execFile)(process.execPath, run)).stdout.trim();
      },
      lastWords: () => (isOver(child) ? said.err : undefined),
      stop: async () => {
        await end(child);
        await rm(printed.dataDir, { recursive: true, force: true });
        await rm(join(tmpdir(), `countersign-demo-${child.pid}.bundle.json`), { force: true });
      },
    };
  } catch (cause) {
    await end(child);
    throw new Error(`${String(cause)}\n${said.err}`);
  }
}

function readPrinted(text: string): Printed | undefined {
  const outbox = /^Messages +(\S+)/m.exec(text)?.[1];
  const link = /Sign in once: (\S+)/.exec(text)?.[1];
  const [, email, password] = /At the shop you are (\S+) with password (\S+);/.exec(text) ?? [];
  const practice = /read its codes: (\S+)/.exec(text)?.[1];
  if (outbox === undefined || link === undefined || email === undefined || password === undefined) return undefined;
  if (practice === undefined) return undefined;
  return { link, email, password, practice, issuer: new URL(link).origin, dataDir: dirname(outbox) };
}

function readReport(text: string): JsonObject | undefined {
  const read = parseJson(text, { maxBytes: documentBytesMax });
  if (!read.ok) return undefined;
  assert(isJsonObject(read.value), "the document of --json is an object");
  return read.value;
}

async function waitFor<T>(child: ChildProcess, look: () => T | undefined, what: string, limitMs: number): Promise<T> {
  const until = performance.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (isOver(child)) throw new Error(`${what}: it ended`);
    if (performance.now() > until) throw new Error(`${what} in ${limitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** As Ctrl+C does. */
async function end(child: ChildProcess): Promise<void> {
  if (isOver(child)) return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(() => child.kill("SIGKILL"), demoEndsMs);
    child.once("exit", () => {
      clearTimeout(late);
      resolve();
    });
    child.kill("SIGINT");
  });
}
