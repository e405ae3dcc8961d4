import { isTerminal, type TaskState } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { type Lived, live } from "./life.ts";
import { planOf, type StoreKind } from "./plan.ts";
import { type CrashWorld, openCrashWorld } from "./world.ts";

export interface Tally {
  readonly runs: number;
  readonly struck: number;
  /** Orders beyond the first for one request. */
  readonly doubles: number;
  /** Tasks that say otherwise than the shop's ledger, in words. */
  readonly wrong: readonly string[];
}

export const NOTHING: Tally = { runs: 0, struck: 0, doubles: 0, wrong: [] };

export function added(a: Tally, b: Tally): Tally {
  return {
    runs: a.runs + b.runs,
    struck: a.struck + b.struck,
    doubles: a.doubles + b.doubles,
    wrong: [...a.wrong, ...b.wrong],
  };
}

/** Lives of the plans `from` to `to` (exclusive) in one world; then every task is held against the shop's ledger. */
export async function runBatch(store: StoreKind, from: number, to: number): Promise<Tally> {
  const world = await openCrashWorld(store);
  try {
    const lives: Lived[] = [];
    for (let number = from; number < to; number++) lives.push(await live(world, planOf(number), lives.length + 1));
    const ends = await Promise.all(
      lives.map(({ taskId }) => world.gateway.ask({ do: "task", clientId: world.clientId, taskId })),
    );
    return judge(world, lives, ends, from);
  } finally {
    await world.close();
  }
}

function judge(world: CrashWorld, lives: readonly Lived[], ends: readonly JsonObject[], from: number): Tally {
  const orders = world.shop.control.orders();
  let doubles = 0;
  const wrong: string[] = [];
  for (const [index, { quantity }] of lives.entries()) {
    const placed = orders.filter((order) => order.lines.some((l) => l.sku === "TL-200" && l.quantity === quantity));
    const state = String(ends[index]?.["state"]);
    const { point, signal, shop } = planOf(from + index);
    const where = `run ${from + index} (${point}, ${signal}, shop ${shop})`;
    if (placed.length > 1) doubles += placed.length - 1;
    if (placed.length > 1) wrong.push(`${where}: ${placed.length} orders`);
    if (!isTerminal(state as TaskState)) wrong.push(`${where}: still ${state}`);
    if ((state === "succeeded") !== (placed.length === 1))
      wrong.push(`${where}: ${state} with ${placed.length} orders`);
  }
  return { runs: lives.length, struck: lives.filter((l) => l.struck).length, doubles, wrong };
}
