import { isTerminal, type TaskState } from "@countersign/profile";
import { type Lived, settled } from "./life.ts";
import { planOf, type StoreKind } from "./plan.ts";
import { strike } from "./strike.ts";
import { type CrashWorld, openCrashWorld } from "./world.ts";

/** Above every quantity in the history that the shop opens with. */
const FIRST_QUANTITY = 10;

export interface Tally {
  /** Orders that lived through a stop of the process. */
  readonly runs: number;
  readonly stops: number;
  /** Stops whose moment was reached. */
  readonly struck: number;
  /** Orders beyond the first for one request. */
  readonly doubles: number;
  /** Tasks that say otherwise than the shop's ledger, in words. */
  readonly wrong: readonly string[];
}

export const NOTHING: Tally = { runs: 0, stops: 0, struck: 0, doubles: 0, wrong: [] };

export function added(a: Tally, b: Tally): Tally {
  return {
    runs: a.runs + b.runs,
    stops: a.stops + b.stops,
    struck: a.struck + b.struck,
    doubles: a.doubles + b.doubles,
    wrong: [...a.wrong, ...b.wrong],
  };
}

/** The stops `from` to `to` (exclusive) in one world; then every task is held against the shop's ledger. */
export async function runBatch(store: StoreKind, from: number, to: number): Promise<Tally> {
  const world = await openCrashWorld(store);
  try {
    let tally = NOTHING;
    for (let number = from; number < to; number++) {
      const { lives, struck } = await strike(world, planOf(number), FIRST_QUANTITY + number - from);
      tally = added(tally, { ...NOTHING, runs: lives.length, stops: 1, struck: struck ? 1 : 0 });
      for (const lived of lives) tally = added(tally, await judge(world, number, lived));
    }
    return tally;
  } finally {
    await world.close();
  }
}

async function judge(world: CrashWorld, number: number, { taskId, plan, sku, quantity }: Lived): Promise<Tally> {
  const task = await world.gateway.ask({ do: "task", clientId: world.clientId, taskId });
  const placed = world.shop.control
    .orders()
    .filter((order) => order.lines.some((l) => l.sku === sku && l.quantity === quantity));
  const state = String(task["state"]);
  const where = `stop ${number} (${plan.point}, ${plan.signal}, shop ${plan.shop}, ${sku}): ${state}, ${placed.length} orders`;
  const agrees = settled(task) && (state === "succeeded") === (placed.length === 1);
  const known = isTerminal(state as TaskState) && agrees && placed.length <= 1;
  return { ...NOTHING, doubles: Math.max(0, placed.length - 1), wrong: known ? [] : [where] };
}
