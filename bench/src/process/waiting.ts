import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { withScratch } from "../scratch.ts";

const COUNT = { full: 10_000, quick: 1_000 } as const;
const CHILD = join(import.meta.dirname, "waiting-child.ts");

export interface WaitingFigures {
  readonly idleMib: number;
  readonly waitingMib: number;
  readonly idleHeapMib: number;
  readonly waitingHeapMib: number;
  readonly databaseMib: number;
}

/** What a gateway holds with many tasks that wait for a person; in a process of its own, after a collection. */
export async function measureWaiting(options: Options): Promise<readonly Measurement[]> {
  const count = COUNT[options.scale];
  const found = await withScratch((directory) => runChild(directory, count));
  return [
    {
      name: "waiting",
      what: `memory with ${count} tasks that wait for approval (at most 1,000 of them made one by one), SQLite`,
      figures: {
        idle_mib: found.idleMib,
        waiting_mib: found.waitingMib,
        more_mib: found.waitingMib - found.idleMib,
        idle_heap_mib: found.idleHeapMib,
        waiting_heap_mib: found.waitingHeapMib,
        database_mib: found.databaseMib,
      },
      targets: [],
    },
  ];
}

async function runChild(directory: string, count: number): Promise<WaitingFigures> {
  const child = spawn(process.execPath, ["--expose-gc", CHILD, directory, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    text += part.toString("utf8");
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error("the process with the waiting tasks failed");
  return JSON.parse(text) as WaitingFigures;
}
