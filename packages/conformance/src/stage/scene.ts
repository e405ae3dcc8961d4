import { isTerminal } from "@countersign/profile";
import type { Json, JsonObject } from "@countersign/wire";
import { NotApplicable } from "../check.ts";
import { CLEAN_UP_MS } from "../limits.ts";
import type { Shop } from "../shop/control.ts";
import { ALL_OPERATIONS } from "../shop/practice.ts";
import type { AgentAccess, AgentPort, AgentTransport, Transcript } from "../transport/transport.ts";
import { until } from "../wait.ts";
import type { Actor } from "./actor.ts";
import { Desk, stateOf } from "./desk.ts";
import { objectOf } from "./requests.ts";

/** What a run is made of; the same for all of its cases. */
export interface Stage {
  readonly gateway: string;
  readonly issuer: string;
  readonly pin: string | undefined;
  readonly shop: Shop;
  readonly transport: AgentTransport;
  readonly transcript: Transcript;
  readonly first: Actor;
  readonly second: Actor | undefined;
}

export interface DeskWish {
  readonly actor?: Actor;
  /** Which of the holder's agents; the first unless told otherwise. */
  readonly agent?: 0 | 1;
  readonly operations?: readonly string[];
  readonly limits?: JsonObject;
}

/** One case's view of the stage: notes what was done and seen, and clears up behind it. */
export class Scene {
  readonly stage: Stage;
  readonly shop: Shop;
  readonly steps: string[] = [];
  readonly evidence: { readonly what: string; readonly value: Json }[] = [];
  readonly #tasks: { readonly port: AgentPort; readonly taskId: string }[] = [];
  readonly #before: { readonly submits: number; readonly orders: number; readonly foreignTokens: number };
  #sessionsEnded = false;

  private constructor(stage: Stage, before: { submits: number; orders: number; foreignTokens: number }) {
    this.stage = stage;
    this.#before = before;
    const scene = this;
    this.shop = {
      ...stage.shop,
      async endSessions() {
        scene.#sessionsEnded = true;
        await stage.shop.endSessions();
      },
    };
  }

  static async open(stage: Stage): Promise<Scene> {
    return new Scene(stage, await stage.shop.counters());
  }

  /** Says in the report what the case does. */
  did(step: string): void {
    this.steps.push(step);
  }

  /** Puts something seen into the report. */
  saw(what: string, value: Json): void {
    this.evidence.push({ what, value });
  }

  /** The holder of another tenant. */
  get other(): Actor {
    if (this.stage.second === undefined)
      throw new NotApplicable("the account holder's driver brought no second holder of another tenant");
    return this.stage.second;
  }

  /** A fresh grant for one agent: what one case revokes or narrows, no other case feels. */
  async desk(wish: DeskWish = {}): Promise<Desk> {
    const { actor = this.stage.first, agent = 0, operations = ALL_OPERATIONS, limits } = wish;
    if (agent >= actor.ports.length)
      throw new NotApplicable("the account holder's driver brought one agent only, and this case needs two");
    const account = await actor.account();
    const port = actor.port(agent);
    const asked = { operations: [...operations], ...(limits === undefined ? {} : { limits }) };
    const consentRef = await actor.grantFor(port, account.accountRef, asked);
    return new Desk(this.watch(port), actor.holder, { ...account, consentRef });
  }

  /** An agent that presents something else than its own token. */
  portFor(access: AgentAccess): AgentPort {
    return this.watch(this.stage.transport.as(access));
  }

  /** What reached the shop since the case began. */
  async counted(): Promise<{ readonly submits: number; readonly orders: number; readonly foreignTokens: number }> {
    const now = await this.shop.counters();
    const counted = {
      submits: now.submits - this.#before.submits,
      orders: now.orders - this.#before.orders,
      foreignTokens: now.foreignTokens - this.#before.foreignTokens,
    };
    this.saw("the shop counted", { submits: counted.submits, orders: counted.orders });
    return counted;
  }

  /** Switches off, open tasks withdrawn or settled, ended sessions forgotten. */
  async clear(): Promise<void> {
    await this.stage.shop.calm();
    for (const { port, taskId } of this.#tasks) {
      const { body } = await port.cancel(taskId);
      if (isTerminal(stateOf(body))) continue;
      await until(
        () => port.task(taskId),
        (answer) => answer.status !== 200 || isTerminal(stateOf(answer.body)),
        CLEAN_UP_MS,
      );
    }
    if (this.#sessionsEnded) for (const actor of [this.stage.first, this.stage.second]) actor?.forgetAccount();
  }

  watch(port: AgentPort): AgentPort {
    return {
      ...port,
      submit: async (request) => {
        const answer = await port.submit(request);
        const { task_id: taskId } = objectOf(answer.body);
        if (answer.status === 201 && typeof taskId === "string") this.#tasks.push({ port, taskId });
        return answer;
      },
    };
  }
}
