import { isTerminal, type TaskState } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { orderRequest } from "../../test/support/agent.ts";
import { sendCode } from "../../test/support/verification.ts";
import type { Order } from "./child-contract.ts";
import { Died } from "./gateway-process.ts";
import { type Keeper, pause } from "./keeper.ts";
import type { Plan } from "./plan.ts";
import type { CrashWorld, Seat } from "./world.ts";

const LOOK_EVERY_MS = 25;
const STEP_MS = 240_000;
const DECISION_TRIES = 60;
const PAST_EVERY_HAND_OFF_MS = 16 * 60_000;

export interface Lived {
  readonly taskId: string;
  readonly plan: Plan;
  readonly sku: string;
  /** No two lives of one world order the same quantity of one thing, so the shop's ledger tells them apart. */
  readonly quantity: number;
}

export const settled = (task: JsonObject): boolean => isTerminal(task["state"] as TaskState);

/** One order from the request to its outcome, through whatever happens to the process on the way. */
export async function live(
  world: CrashWorld,
  keeper: Keeper,
  seat: Seat,
  plan: Plan,
  quantity: number,
): Promise<Lived> {
  const story = new Story(world, keeper);
  const parameters = { item_ref: seat.sku, quantity, max_total_minor: 10_000_000 };
  const request = orderRequest(seat, { parameters });
  const task = await story.agent({ do: "submit", clientId: world.clientId, request });
  const taskId = String(task["task_id"]);
  await story.until(taskId, (t) => t["state"] === "approval_required" || settled(t));
  await story.person(() => approve(world, taskId));
  await story.until(taskId, async (t) => {
    if (settled(t) || t["state"] === "outcome_unknown") return true;
    // Time moves on past the leases of the dead, and with it past the end of what was approved: it is asked anew.
    if (t["state"] === "approval_required") await story.person(() => approve(world, taskId));
    if (t["state"] === "executing" && t["continuation_ref"] !== undefined)
      await story.person(() => enterCode(world, String(t["continuation_ref"])));
    return false;
  });
  if (plan.point.startsWith("reconcile.")) await story.until(taskId, (now) => settled(now) || keeper.struck);
  return { taskId, plan, sku: seat.sku, quantity };
}

async function approve(world: CrashWorld, taskId: string): Promise<boolean> {
  const now = await world.gateway.ask({ do: "task", clientId: world.clientId, taskId });
  if (now["state"] !== "approval_required") return true;
  const decided = await world.person.decide(await world.person.approvalFor(taskId), "approved");
  return decided.status === 200;
}

/** The person enters the bank's code; a hand-off that a crash has spent lapses with time. */
async function enterCode(world: CrashWorld, ref: string): Promise<boolean> {
  if (world.lapsed.has(ref)) return true;
  const code = world.shop.control.bankCode();
  const begun = await world.person.post(`/continuations/${ref}/begin`);
  const sent = code !== undefined && begun.status === 200 ? await sendCode(world.person, ref, code) : undefined;
  if (sent?.status !== 200) {
    world.lapsed.add(ref);
    world.advance(PAST_EVERY_HAND_OFF_MS);
    await world.gateway.ask({ do: "look" });
  }
  return true;
}

/** Keeps one life going across the deaths of the process. */
class Story {
  readonly #world: CrashWorld;
  readonly #keeper: Keeper;

  constructor(world: CrashWorld, keeper: Keeper) {
    this.#world = world;
    this.#keeper = keeper;
  }

  /** Asks as the agent, again after each death: the same request under the same key. */
  async agent(order: Order): Promise<JsonObject> {
    for (;;) {
      try {
        return await this.#orTrouble(this.#world.gateway.ask(order));
      } catch (error) {
        if (!(error instanceof Died)) throw error;
        // Its channel is closed before its exit is told: without a pause nothing would ever be told.
        await pause(LOOK_EVERY_MS);
        await this.#keeper.recover();
      }
    }
  }

  /** Does what a person does in the page until it has come through. */
  async person(act: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < DECISION_TRIES; tries++) {
      try {
        if (await this.#orTrouble(act())) return;
      } catch {
        await this.#keeper.recover();
      }
      await pause(LOOK_EVERY_MS * 4);
    }
    throw new Error("what the person does in the page does not come through");
  }

  async until(taskId: string, done: (task: JsonObject) => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + STEP_MS;
    for (;;) {
      const task = await this.agent({ do: "task", clientId: this.#world.clientId, taskId });
      await signIn(this.#world, task);
      if (await done(task)) return;
      if (performance.now() > end) throw new Error(`stuck: ${JSON.stringify(task)}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /** The answer; while it is waited for, a process that died or is held is seen to. */
  async #orTrouble<T>(asked: Promise<T>): Promise<T> {
    let answered = false;
    const answer = asked.finally(() => {
      answered = true;
    });
    answer.catch(() => {});
    while (!answered) {
      if (this.#keeper.troubled()) await this.#keeper.recover();
      await Promise.race([answer.catch(() => {}), pause(LOOK_EVERY_MS)]);
    }
    return answer;
  }
}

/** Time has ended the session at the shop: the person signs in again. */
export async function signIn(world: CrashWorld, task: JsonObject): Promise<void> {
  const { continuation_ref: ref, state } = task;
  if (ref === undefined || state === "executing") return;
  await world.person.signInAtShop(String(ref)).catch(() => {});
}
