import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, type JsonObject } from "@countersign/wire";
import type { Order, Settings } from "./child-contract.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** The process ended while it was asked; what it had stored, its next life finds. */
export class Died extends Error {
  override readonly name = "Died";
}

/** One life of the gateway. */
export interface GatewayProcess {
  readonly link: string;
  ask(order: Order): Promise<JsonObject>;
  /** True once the process is gone. */
  dead(): boolean;
  /** True while SIGSTOP holds it. */
  held(): boolean;
  release(): void;
  kill(): Promise<void>;
}

export async function startProcess(settings: Settings): Promise<GatewayProcess> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "countersign-compile-cache") };
  const child = fork(CHILD, [JSON.stringify(settings)], { execArgv: [], env });
  const waiting = new Map<number, { resolve(value: JsonObject): void; reject(error: Error): void }>();
  let next = 0;
  let dead = false;
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      dead = true;
      for (const { reject } of waiting.values()) reject(new Died("the gateway ended"));
      waiting.clear();
      resolve();
    });
  });
  const ready = await new Promise<JsonObject>((resolve, reject) => {
    child.once("message", (message) => resolve(message as JsonObject));
    void gone.then(() => reject(new Died("the gateway ended before it was ready")));
  });
  assert(ready["ready"] === true, `the gateway starts: ${JSON.stringify(ready)}`);
  child.on("message", (message: { id: number; value?: JsonObject; failed?: string }) => {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.value === undefined) asked?.reject(new Error(message.failed ?? "no answer"));
    else asked?.resolve(message.value);
  });
  return {
    link: String(ready["link"]),
    ask: (order) =>
      new Promise((resolve, reject) => {
        if (dead) return reject(new Died("the gateway has ended"));
        next += 1;
        waiting.set(next, { resolve, reject });
        child.send({ id: next, order }, (error) => {
          if (error !== null) reject(new Died("the gateway has ended"));
        });
      }),
    dead: () => dead,
    held: () => !dead && stateOf(child) === "T",
    release: () => void child.kill("SIGCONT"),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function stateOf(child: ChildProcess): string {
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  } catch {
    return "";
  }
}
