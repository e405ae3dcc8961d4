import { parseArgs } from "node:util";
import { POINTS } from "../../packages/gateway/src/points.ts";
import { setup, teardown } from "../../tools/postgres/test-server.ts";
import { added, NOTHING, runBatch, type Tally } from "./batch.ts";
import { planOf, type StoreKind } from "./plan.ts";

const BATCH = 20;
/** What one stop interrupts; a stop that waits for the bank's code interrupts one. */
const SEATS = 4;
const HELP = `Usage: npm run crash -- [--runs 2000] [--from 0] [--store sqlite|postgres|both] [--workers 2]

An order of each of four accounts is under way when the gateway stops: that is four runs. Real gateways, killed (SIGKILL) or held past every lease (SIGSTOP) at each named moment of a task's life, with the
practice shop counting. Half of the runs on each store with "both". Exit 0 only without a double order and with every
task saying what the shop's ledger says. The same number is always the same plan.`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "2000" },
    from: { type: "string", default: "0" },
    store: { type: "string", default: "both" },
    workers: { type: "string", default: "2" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const stores: readonly StoreKind[] = values.store === "both" ? ["sqlite", "postgres"] : [values.store as StoreKind];
const runs = Number(values.runs);
const first = Number(values.from);
const stopsEach = Math.ceil(runs / stores.length / meanSeats());
const jobs = Array.from({ length: Math.ceil(stopsEach / BATCH) }, (_, i) => first + i * BATCH).flatMap((from) =>
  stores.map((store) => ({ store, from, to: Math.min(from + BATCH, first + stopsEach) })),
);

await setup();
const started = performance.now();
const totals = new Map<StoreKind, Tally>(stores.map((store) => [store, NOTHING]));
const worker = async (): Promise<void> => {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const { store, from, to } = job;
    const tally = await runBatch(store, from, to).catch(
      (error: unknown): Tally => ({ ...NOTHING, wrong: [`${store} ${from} to ${to}: ${String(error)}`] }),
    );
    totals.set(store, added(totals.get(store) ?? NOTHING, tally));
    for (const line of tally.wrong) console.log(`WRONG ${store} ${line}`);
    const all = [...totals.values()].reduce(added, NOTHING);
    const seconds = Math.round((performance.now() - started) / 1_000);
    console.log(`${all.runs} of ${runs} runs, ${all.stops} stops, ${all.doubles} double orders, ${seconds} s`);
  }
};
await Promise.all(Array.from({ length: Number(values.workers) }, worker));
await teardown();
const all = [...totals.values()].reduce(added, NOTHING);
for (const [store, t] of totals)
  console.log(`${store}: runs ${t.runs}, stops ${t.stops}, reached ${t.struck}, double orders ${t.doubles}`);
console.log(`runs ${all.runs}, double orders ${all.doubles}, wrong outcomes ${all.wrong.length}`);
process.exit(all.doubles === 0 && all.wrong.length === 0 && all.runs >= runs ? 0 : 1);

/** Of twenty points two are the bank's, where one order is under way. */
function meanSeats(): number {
  const plans = POINTS.map((_, i) => planOf(i).shop);
  return plans.reduce((sum, shop) => sum + (shop === "wants_a_code" ? 1 : SEATS), 0) / plans.length;
}
