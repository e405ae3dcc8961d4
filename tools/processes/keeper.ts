/**
 * Ends what a killed test run would leave behind. It reads lines from its input (`group <pid>`, `postgres <pid>`,
 * `folder <path>`, `dismissed`); when the input ends without `dismissed`, its owner has died: it ends those processes
 * and removes those folders.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { signal } from "./processes.ts";

export interface Keeper {
  keep(kind: "group" | "postgres" | "folder", what: string | number): void;
  /** The owner has ended everything itself. */
  dismiss(): void;
}

export function startKeeper(): Keeper {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  const input = child.stdin;
  input?.on("error", () => {});
  if (input !== null && "unref" in input && typeof input.unref === "function") input.unref();
  return {
    keep: (kind, what) => void input?.write(`${kind} ${what}\n`),
    dismiss: () => void input?.end("dismissed\n"),
  };
}

const postgresStopMs = 1_000;

async function keepUntilAlone(): Promise<void> {
  const kept: (readonly [kind: string, what: string])[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "dismissed") return;
    const at = line.indexOf(" ");
    kept.push([line.slice(0, at), line.slice(at + 1)]);
  }
  const of = (kind: string) => kept.filter(([its]) => its === kind).map(([, what]) => what);
  for (const pid of of("group")) signal(-Number(pid), "SIGKILL");
  // An immediate shutdown: the postmaster's children lead groups of their own, so it must take them along itself.
  for (const pid of of("postgres")) signal(Number(pid), "SIGQUIT");
  await sleep(postgresStopMs);
  for (const folder of of("folder")) await rm(folder, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await keepUntilAlone();
