import { statSync } from "node:fs";
import { join } from "node:path";
import { assert } from "@countersign/wire";
import { toDecision } from "../life/life.ts";
import { openLifeWorld } from "../life/world.ts";
import { fillWaiting } from "../reading/fill.ts";
import { residentMib } from "./resident.ts";
import type { WaitingFigures } from "./waiting.ts";

// Run by waiting.ts: makes tasks that wait for a person. The first ones go through the gateway's own admission and
// preparation, so that what it would keep in memory for each shows; the others are copies of their rows.
const [directory = "", countText = ""] = process.argv.slice(2);
const count = Number(countText);
const MADE_MAX = 1_000;
/** Below the gateway's limit of open tasks an agent. */
const TASKS_A_SEAT = 150;
const SETTLE_MS = 2_000;
const MIB = 1_024 * 1_024;
const collect = global.gc;
assert(collect !== undefined, "started with --expose-gc");

const world = await openLifeWorld({ dataDir: directory });
const toMake = Math.min(count, MADE_MAX);
const seats = await world.addSeats(Math.ceil(toMake / TASKS_A_SEAT));
const settled = async () => {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  collect();
  return { rss: residentMib(process.pid), heap: process.memoryUsage().heapUsed / MIB };
};
// A few before the first look, so that what is loaded with the first task is not counted as waiting.
for (const seat of seats) await toDecision(world, seat);
const before = await settled();
let made = seats.length;
await Promise.all(
  seats.map(async (seat) => {
    for (let n = 1; n < TASKS_A_SEAT && made < toMake; n++) {
      made++;
      await toDecision(world, seat);
    }
  }),
);
// Settled, so that no transaction of the gateway is under way while the copies are written beside it.
await settled();
if (count > made) fillWaiting(directory, count - made);
world.core.poke();
const after = await settled();
const figures: WaitingFigures = {
  idleMib: before.rss,
  waitingMib: after.rss,
  idleHeapMib: before.heap,
  waitingHeapMib: after.heap,
  databaseMib: statSync(join(directory, "gateway.db")).size / MIB,
};
console.log(JSON.stringify(figures));
await world.close();
