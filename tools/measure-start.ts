import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

// How long a cold `countersign start` takes until /readyz says yes, beside a bare Node process that only prints, and how
// much memory it then holds while idle. Run: node tools/measure-start.ts [runs]
const RUNS = Number(process.argv[2] ?? 5);
const LOOK_MS = 10;
const IDLE_MS = 3_000;
const main = join(import.meta.dirname, "..", "packages", "countersign", "src", "main.ts");

const starts: number[] = [];
const bare: number[] = [];
const memory: number[] = [];
for (let run = 0; run < RUNS; run++) {
  bare.push(await timeBare());
  const { readyMs, rssMb } = await timeStart();
  starts.push(readyMs);
  memory.push(rssMb);
}
console.log(`start to /readyz  ${line(starts)} ms`);
console.log(`bare node         ${line(bare)} ms`);
console.log(`ratio             ${(median(starts) / median(bare)).toFixed(1)}`);
console.log(`idle memory       ${line(memory)} MB`);

async function timeBare(): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, ["-e", "console.log(1)"], { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  return performance.now() - from;
}

async function timeStart(): Promise<{ readonly readyMs: number; readonly rssMb: number }> {
  const dir = mkdtempSync(join(tmpdir(), "countersign-start-"));
  const port = await freePort();
  const from = performance.now();
  const args = [
    main,
    "start",
    "--port",
    String(port),
    "--data",
    dir,
    "--sandbox",
    process.getuid?.() === 0 ? "off" : "on",
  ];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  try {
    for (;;) {
      const ready = await fetch(`http://localhost:${port}/readyz`).then(
        (r) => r.ok,
        () => false,
      );
      if (ready) break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    const readyMs = performance.now() - from;
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    const rssKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
    return { readyMs, rssMb: rssKb / 1024 };
  } finally {
    await new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
    rmSync(dir, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function line(values: readonly number[]): string {
  return `min ${Math.min(...values).toFixed(0)}, median ${median(values).toFixed(0)}, max ${Math.max(...values).toFixed(0)}`;
}
