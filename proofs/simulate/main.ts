import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { openHouse } from "./house.ts";
import { FAULT_SAID, FAULTS, type Fault } from "./oracle.ts";
import { installPlatform } from "./platform.ts";
import { runOnce } from "./run.ts";

// `npm run simulate`: the gateway's own code over its own store, with a simulated world around it.

const HELP = `Runs the gateway against a simulated world: clock, shop, person, agent, crashes, everything from a seed.

  npm run simulate -- --runs 100000             that many runs, of seeds 1, 2, 3 ...
  npm run simulate -- --seed 7 --runs 1 --trace  one run, with its story
  npm run simulate -- --workers 2                threads (default 2)

Admission, consent, decisions, worker, boundary, outcome, read-back and evidence are the shipped code over the SQLite
store in memory. Each fault is counted and must be zero; a seed that shows one plays again exactly.
Exit code 0: all zero. 1: a fault was found. 2: the arguments are wrong.
`;

const RUNS_DEFAULT = 1_000;
const WORKERS_DEFAULT = 2;
const WORKERS_MAX = 64;
const BATCH = 100;
const FAILURES_TOLD_MAX = 20;
const PROGRESS_MS = 10_000;

interface Batch {
  readonly runs: number;
  readonly tasks: number;
  readonly orders: number;
  readonly steps: number;
  readonly faults: readonly { readonly seed: number; readonly fault: Fault; readonly what: string }[];
}

interface Range {
  readonly from: number;
  readonly runs: number;
  readonly step: number;
}

async function play(range: Range, told: (batch: Batch) => void): Promise<void> {
  installPlatform();
  const house = await openHouse();
  let batch = emptyBatch();
  for (let i = 0; i < range.runs; i += 1) {
    const seed = range.from + i * range.step;
    const run = await runOnce(house, seed);
    batch = {
      runs: batch.runs + 1,
      tasks: batch.tasks + run.tasks,
      orders: batch.orders + run.orders,
      steps: batch.steps + run.steps,
      faults: [...batch.faults, ...run.found.map((found) => ({ seed, ...found }))],
    };
    if (batch.runs < BATCH && i + 1 < range.runs) continue;
    told(batch);
    batch = emptyBatch();
  }
}

function emptyBatch(): Batch {
  return { runs: 0, tasks: 0, orders: 0, steps: 0, faults: [] };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", default: false },
      runs: { type: "string", default: String(RUNS_DEFAULT) },
      seed: { type: "string", default: "1" },
      workers: { type: "string", default: String(WORKERS_DEFAULT) },
      trace: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [runs, seed, workers] = [values.runs, values.seed, values.workers].map(Number);
  if (!isCount(runs) || !isCount(seed) || !isCount(workers) || workers > WORKERS_MAX) {
    console.error("--runs, --seed and --workers are whole numbers from 1 on.");
    return 2;
  }
  if (values.trace) return trace(seed, runs);
  return many(seed, runs, Math.min(workers, runs));
}

function isCount(n: number | undefined): n is number {
  return n !== undefined && Number.isSafeInteger(n) && n >= 1;
}

async function trace(from: number, runs: number): Promise<number> {
  installPlatform();
  const house = await openHouse();
  let bad = 0;
  for (let seed = from; seed < from + runs; seed += 1) {
    const run = await runOnce(house, seed);
    console.log(`seed ${seed}`);
    for (const line of run.story) console.log(line);
    console.log(`story ${run.digest}, ${run.found.length} faults\n`);
    bad += run.found.length;
  }
  return bad === 0 ? 0 : 1;
}

async function many(seed: number, runs: number, workers: number): Promise<number> {
  const begun = performance.now();
  const sums = { runs: 0, tasks: 0, orders: 0, steps: 0 };
  const faults: Record<Fault, number> = Object.fromEntries(FAULTS.map((f) => [f, 0])) as Record<Fault, number>;
  const failing = new Set<number>();
  let toldAt = begun;
  const add = (batch: Batch): void => {
    sums.runs += batch.runs;
    sums.tasks += batch.tasks;
    sums.orders += batch.orders;
    sums.steps += batch.steps;
    for (const { seed: at, fault, what } of batch.faults) {
      faults[fault] += 1;
      if (failing.size < FAILURES_TOLD_MAX && !failing.has(at)) console.log(`seed ${at}: ${fault}: ${what}`);
      failing.add(at);
    }
    if (performance.now() - toldAt < PROGRESS_MS) return;
    toldAt = performance.now();
    const perSecond = sums.runs / ((toldAt - begun) / 1000);
    console.log(`${sums.runs} of ${runs} runs, ${perSecond.toFixed(0)} a second, ${failing.size} with faults`);
  };
  await Promise.all(
    Array.from({ length: workers }, (_none, index) => {
      const share = Math.floor(runs / workers) + (index < runs % workers ? 1 : 0);
      return inThread({ from: seed + index, runs: share, step: workers }, add);
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  console.log(`\nseeds ${seed} to ${seed + runs - 1}: ${sums.runs} runs in ${seconds.toFixed(1)} s`);
  console.log(`${sums.tasks} tasks, ${sums.orders} orders at the shop, ${sums.steps} steps`);
  for (const fault of FAULTS)
    console.log(`${String(faults[fault]).padStart(8)}  ${fault.replaceAll("_", "-")}: ${FAULT_SAID[fault]}`);
  if (failing.size > 0) {
    const [first] = failing;
    console.log(`\n${failing.size} seeds failed; npm run simulate -- --seed ${first} --runs 1 --trace`);
  }
  return failing.size === 0 ? 0 : 1;
}

function inThread(range: Range, told: (batch: Batch) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: range });
    thread.on("message", told);
    thread.on("error", reject);
    thread.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`))));
  });
}

if (isMainThread) process.exitCode = await main();
else await play(workerData as Range, (batch) => parentPort?.postMessage(batch));
