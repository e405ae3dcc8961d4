import { assert } from "@countersign/wire";
import { live } from "../life/life.ts";
import { openLifeWorld } from "../life/world.ts";
import { atMost, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { withScratch } from "../scratch.ts";
import { type Spread, spread } from "../stats.ts";
import { fillSqlite } from "./fill.ts";

const FEW = 1_000;
const MANY = { full: 1_000_000, quick: 100_000 } as const;
const READS = 4_000;
const WARM_UP_READS = 500;
const RATIO_MAX = 2;

/** How long an agent's look at one task takes, among few tasks and among many, on the embedded store. */
export async function measureReading(options: Options): Promise<readonly Measurement[]> {
  const many = MANY[options.scale];
  const amongFew = await withScratch((directory) => readAmong(directory, FEW));
  const amongMany = await withScratch((directory) => readAmong(directory, many));
  return [
    row(FEW, amongFew),
    {
      ...row(many, amongMany),
      targets: [atMost(`reading a task at ${many} tasks / at ${FEW}`, amongMany.p50 / amongFew.p50, RATIO_MAX)],
    },
  ];
}

function row(count: number, times: Spread): Measurement {
  return {
    name: "reading",
    what: `reading one task among ${count}, SQLite`,
    figures: { p50_ms: times.p50, p99_ms: times.p99 },
    targets: [],
  };
}

async function readAmong(directory: string, count: number): Promise<Spread> {
  const first = await openLifeWorld({ dataDir: directory });
  const [seat] = await first.addSeats(1);
  assert(seat !== undefined, "one seat");
  await live(first, seat);
  await first.close();
  fillSqlite(directory, count);
  const world = await openLifeWorld({ dataDir: directory });
  try {
    const times: number[] = [];
    for (let n = 0; n < WARM_UP_READS + READS; n++) {
      const taskId = `task_${1 + Math.floor(Math.random() * count)}`;
      const from = performance.now();
      const found = await world.port.task(seat.caller, taskId);
      const took = performance.now() - from;
      assert(found.ok && found.value["receipt_ref"] !== undefined, "the task and its receipt are found");
      if (n >= WARM_UP_READS) times.push(took);
    }
    return spread(times);
  } finally {
    await world.close();
  }
}
