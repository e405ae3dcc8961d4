import { Keeper, PAST_EVERY_LEASE_MS, pause } from "./keeper.ts";
import { type Lived, live, settled, signIn } from "./life.ts";
import type { Plan } from "./plan.ts";
import type { CrashWorld } from "./world.ts";

const REST_STEPS = 60;
const READING_MS = 250;

export interface Struck {
  readonly lives: readonly Lived[];
  /** True when the moment was reached and the process stopped there. */
  readonly struck: boolean;
}

/** One stop of the process, with an order of every seat under way; then time passes until all have come to rest. */
export async function strike(world: CrashWorld, plan: Plan, quantity: number): Promise<Struck> {
  const keeper = new Keeper(world);
  // The bank has one code at a time.
  const seats = plan.shop === "wants_a_code" ? world.seats.slice(0, 1) : world.seats;
  faults(world, plan, seats.length);
  await world.gateway.ask({ do: "arm", point: plan.point, signal: plan.signal, pass: plan.pass });
  const lives = await Promise.all(seats.map((seat) => live(world, keeper, seat, plan, quantity)));
  await keeper.end();
  for (const name of ["commitThenDrop", "dropBeforeCommit", "verifyPayment"] as const) world.shop.control.clear(name);
  await rest(world, lives);
  return { lives, struck: keeper.struck };
}

function faults(world: CrashWorld, plan: Plan, times: number): void {
  const { control } = world.shop;
  if (plan.shop === "commits_then_drops") control.commitThenDrop({ times });
  if (plan.shop === "drops_before") control.dropBeforeCommit({ times });
  if (plan.shop === "wants_a_code") control.verifyPayment({ times });
}

/**
 * The read-backs find what there is. The next order of a seat waits for it, for two new orders of one item are more
 * than the shop's history can tell apart.
 */
async function rest(world: CrashWorld, lives: readonly Lived[]): Promise<void> {
  for (let step = 0; step < REST_STEPS; step++) {
    const tasks = await Promise.all(
      lives.map(({ taskId }) => world.gateway.ask({ do: "task", clientId: world.clientId, taskId })),
    );
    if (tasks.every(settled)) return;
    for (const task of tasks) await signIn(world, task);
    world.advance(PAST_EVERY_LEASE_MS);
    await world.gateway.ask({ do: "look" });
    await pause(READING_MS);
  }
}
