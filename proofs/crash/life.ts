import { isTerminal, type TaskState } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { orderRequest } from "../../test/support/agent.ts";
import { sendCode } from "../../test/support/verification.ts";
import type { Order } from "./child-contract.ts";
import { Died, type GatewayProcess } from "./gateway-process.ts";
import type { Plan } from "./plan.ts";
import type { CrashWorld } from "./world.ts";

const LOOK_EVERY_MS = 20;
const STEP_MS = 240_000;
const REST_STEPS = 40;
const READING_MS = 250;
const PAST_EVERY_LEASE_MS = 3 * 60_000;
const PAST_EVERY_HAND_OFF_MS = 16 * 60_000;

export interface Lived {
  readonly taskId: string;
  /** The order's quantity: no two lives of one world have the same, so the shop's ledger tells them apart. */
  readonly quantity: number;
  /** True when the moment was reached and the process stopped there. */
  readonly struck: boolean;
}

/** One order from the request to its outcome, through whatever the plan does to the process on the way. */
export async function live(world: CrashWorld, plan: Plan, quantity: number): Promise<Lived> {
  const story = new Story(world, plan);
  faults(world, plan);
  await world.gateway.ask({ do: "arm", point: plan.point, signal: plan.signal, pass: plan.pass });
  const request = orderRequest(world.refs, { parameters: { quantity, max_total_minor: 10_000_000 } });
  const task = await story.agent({ do: "submit", clientId: world.clientId, request });
  const taskId = String(task["task_id"]);
  await story.until(taskId, (t) => t["state"] === "approval_required" || settled(t));
  await story.person(async () => {
    const task = await world.gateway.ask({ do: "task", clientId: world.clientId, taskId });
    if (task["state"] !== "approval_required") return true;
    const view = await world.person.approvalFor(taskId);
    const decided = await world.person.decide(view, "approved");
    return decided.status === 200;
  });
  await story.until(taskId, async (t) => {
    if (settled(t) || t["state"] === "outcome_unknown") return true;
    if (t["state"] === "executing" && t["continuation_ref"] !== undefined)
      await story.person(() => enterCode(world, String(t["continuation_ref"])));
    return false;
  });
  if (plan.point.startsWith("reconcile.")) await story.until(taskId, settledOrStruck(story));
  await story.end();
  await rest(world, taskId);
  return { taskId, quantity, struck: story.struck };
}

const settled = (task: JsonObject): boolean => isTerminal(task["state"] as TaskState);
const settledOrStruck = (story: Story) => (task: JsonObject) => settled(task) || story.struck;

/**
 * Time passes until the task has come to rest: the read-backs find what there is. The next order of the account waits
 * for it, for two new orders of one item are more than the shop's history can tell apart.
 */
async function rest(world: CrashWorld, taskId: string): Promise<void> {
  for (let step = 0; step < REST_STEPS; step++) {
    const task = await world.gateway.ask({ do: "task", clientId: world.clientId, taskId });
    if (settled(task)) return;
    const ref = task["continuation_ref"];
    if (ref !== undefined) await world.person.signInAtShop(String(ref)).catch(() => {});
    world.advance(PAST_EVERY_LEASE_MS);
    await world.gateway.ask({ do: "look" });
    await pause(READING_MS);
  }
}

function faults(world: CrashWorld, plan: Plan): void {
  const { control } = world.shop;
  if (plan.shop === "commits_then_drops") control.commitThenDrop({ times: 1 });
  if (plan.shop === "drops_before") control.dropBeforeCommit({ times: 1 });
  if (plan.shop === "wants_a_code") control.verifyPayment({ times: 1 });
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

/** Keeps a life going: when the process dies it starts the next one, when it is held others go past it first. */
class Story {
  struck = false;
  readonly #world: CrashWorld;
  readonly #plan: Plan;
  #side: GatewayProcess | undefined;

  constructor(world: CrashWorld, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
  }

  /** Asks as the agent, again after each death: the same request under the same key. */
  async agent(order: Order): Promise<JsonObject> {
    for (;;) {
      try {
        return await this.#orStruck(this.#world.gateway.ask(order));
      } catch (error) {
        if (!(error instanceof Died)) throw error;
      }
    }
  }

  /** Does what a person does in the page until it has come through. */
  async person(act: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      try {
        if (await this.#orStruck(act())) return;
      } catch {
        await this.#recover();
      }
      await pause();
    }
    throw new Error(`the person cannot decide (${this.#plan.point}, ${this.#plan.signal})`);
  }

  async until(taskId: string, done: (task: JsonObject) => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + STEP_MS;
    for (;;) {
      const task = await this.agent({ do: "task", clientId: this.#world.clientId, taskId });
      await this.#signIn(task);
      if (await done(task)) return;
      if (performance.now() > end)
        throw new Error(`stuck: ${JSON.stringify(task)} (${this.#plan.point}, ${this.#plan.signal})`);
      await pause();
    }
  }

  /** Time has ended the session at the shop: the person signs in again. */
  async #signIn(task: JsonObject): Promise<void> {
    const { continuation_ref: ref, state } = task;
    if (ref === undefined || state === "executing") return;
    await this.#world.person.signInAtShop(String(ref)).catch(() => {});
  }

  async end(): Promise<void> {
    await this.#recover();
    if (!this.#world.gateway.dead()) await this.#world.gateway.ask({ do: "disarm" });
    await this.#side?.kill();
    this.#side = undefined;
  }

  /** Answers, or sees to the process that died or is held meanwhile and throws `Died` so that the asker asks again. */
  async #orStruck<T>(asked: Promise<T>): Promise<T> {
    let answered = false;
    const answer = asked.finally(() => {
      answered = true;
    });
    answer.catch(() => {});
    while (!answered) {
      if (this.#world.gateway.dead() || this.#world.gateway.held()) await this.#recover();
      await Promise.race([answer.catch(() => {}), pause()]);
    }
    return answer.catch(async (error: unknown) => {
      await this.#recover();
      throw error;
    });
  }

  async #recover(): Promise<void> {
    const { gateway } = this.#world;
    if (gateway.dead()) {
      this.struck = true;
      await this.#world.revive();
      return;
    }
    if (!gateway.held()) return;
    this.struck = true;
    if (this.#world.store === "postgres") {
      this.#side = await this.#world.beside();
      this.#world.advance(PAST_EVERY_LEASE_MS);
      await this.#side.ask({ do: "look" });
      await pause(1_500);
    } else {
      this.#world.advance(PAST_EVERY_LEASE_MS);
    }
    gateway.release();
  }
}

function pause(ms = LOOK_EVERY_MS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
