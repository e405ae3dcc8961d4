import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isJsonObject, type Json, type JsonObject, parseJson } from "@countersign/wire";
import { run } from "../conformance/run.ts";

const programs = fileURLToPath(new URL("./python", import.meta.url));
const requirements = join(programs, "requirements.txt");
const SET = "interop-2";

/** A Python with the foreign libraries, installed once into a cache folder outside the project; undefined without any. */
export async function foreignPython(): Promise<string | undefined> {
  const base =
    process.env["COUNTERSIGN_CACHE"] || join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "countersign");
  const folder = join(base, SET);
  const python = join(folder, "bin", "python");
  const done = join(folder, "installed");
  if (existsSync(done)) return python;
  const made = await run("python3", ["-m", "venv", folder], programs).catch(() => 1);
  if (made !== 0) return undefined;
  const installed = await run(
    python,
    ["-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", requirements],
    programs,
  );
  if (installed !== 0) throw new Error(`the foreign libraries could not be installed into ${folder}`);
  await run("touch", [done], programs);
  return python;
}

export interface Foreign {
  /** What it says, a JSON object a line; ends with the process. */
  readonly said: AsyncIterable<JsonObject>;
  /** The exit code. */
  readonly ended: Promise<number>;
  stop(): void;
}

/** Starts one of the foreign programs with its job. Credentials go in by standard input alone. */
export function startForeign(python: string, program: string, job: JsonObject): Foreign {
  const child: ChildProcess = spawn(python, [join(programs, program)], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin?.end(JSON.stringify(job));
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  return { said: lines(child), ended, stop: () => void child.kill() };
}

async function* lines(child: ChildProcess): AsyncGenerator<JsonObject> {
  if (child.stdout === null) return;
  for await (const line of createInterface({ input: child.stdout })) {
    const json = parseJson(line);
    const value: Json | undefined = json.ok ? json.value : undefined;
    if (value !== undefined && isJsonObject(value)) yield value;
  }
}
