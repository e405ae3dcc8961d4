import { spawn } from "node:child_process";
import { join } from "node:path";
import { below, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { freePort, withScratch } from "../scratch.ts";
import { median } from "../stats.ts";
import { residentMib } from "./resident.ts";

const RUNS = { full: 7, quick: 3 } as const;
const LOOK_MS = 5;
const IDLE_MS = 3_000;
const START_MS_MAX = 1_000;
const IDLE_MIB_MAX = 150;
const MAIN = join(import.meta.dirname, "..", "..", "..", "packages", "countersign", "bin", "countersign.mjs");

/** A cold `countersign start` until /readyz says yes, beside a bare Node process, and what it then holds while idle. */
export async function measureStart(options: Options): Promise<readonly Measurement[]> {
  const starts: number[] = [];
  const bare: number[] = [];
  const idle: number[] = [];
  for (let run = 0; run < RUNS[options.scale]; run++) {
    bare.push(await timeBare());
    const { readyMs, rssMib } = await timeStart();
    starts.push(readyMs);
    idle.push(rssMib);
  }
  return [
    {
      name: "start",
      what: "cold `countersign start` to /readyz, no browser",
      figures: { p50_ms: median(starts), least_ms: Math.min(...starts), bare_node_ms: median(bare) },
      targets: [below("start to /readyz, ms", median(starts), START_MS_MAX)],
    },
    {
      name: "start",
      what: "resident memory of the idle gateway",
      figures: { p50_mib: median(idle), most_mib: Math.max(...idle) },
      targets: [below("idle memory, MiB", median(idle), IDLE_MIB_MAX)],
    },
  ];
}

async function timeBare(): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, ["-e", "console.log(1)"], { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  return performance.now() - from;
}

async function timeStart(): Promise<{ readonly readyMs: number; readonly rssMib: number }> {
  const port = await freePort();
  return withScratch(async (directory) => {
    const sandbox = process.getuid?.() === 0 ? "off" : "on";
    const args = [MAIN, "start", "--port", String(port), "--data", directory, "--sandbox", sandbox];
    const from = performance.now();
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    try {
      while (!(await isReady(port))) {
        if (child.exitCode !== null) throw new Error("the gateway ended before it was ready");
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      const readyMs = performance.now() - from;
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      return { readyMs, rssMib: residentMib(child.pid ?? 0) };
    } finally {
      child.kill("SIGTERM");
      await gone;
    }
  });
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
}
