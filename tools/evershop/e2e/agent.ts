import { randomUUID } from "node:crypto";
import { PROFILE_ID } from "@countersign/profile";
import { formatInstant, instant, type JsonObject, secret } from "@countersign/wire";
import { type AgentClient, createAgentClient } from "../../../packages/countersign/src/agent/client.ts";
import { askGateway } from "../../../packages/countersign/src/setup/admin-client.ts";
import { lookEveryMs, taskMs } from "./limits.ts";

const settled: readonly string[] = ["succeeded", "denied", "expired", "failed", "cancelled"];
const hourMs = 3_600_000;

export interface Refs {
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}

/** An agent with its own credential, over HTTP like any other. */
export class Agent {
  readonly clientId: string;
  #client: AgentClient | undefined;

  private constructor(clientId: string) {
    this.clientId = clientId;
  }

  /** Asks to be let in; the person has yet to say yes. */
  static async ask(dataDir: string): Promise<Agent> {
    const added = await askGateway(dataDir, { command: "agent_add", name: "Errand agent" });
    if (!added.ok) throw new Error("no agent can be added");
    return new Agent(String(added.value["client_id"]));
  }

  async fetchCredential(dataDir: string): Promise<void> {
    const given = await askGateway(dataDir, { command: "agent_credential", client_id: this.clientId });
    if (!given.ok) throw new Error("the agent gets no credential");
    const { token_endpoint: tokenEndpoint, resource, refresh_token: refreshToken } = given.value;
    const credential = {
      clientId: this.clientId,
      tokenEndpoint: String(tokenEndpoint),
      resource: String(resource),
      refreshToken: secret(String(refreshToken)),
    };
    this.#client = createAgentClient(credential, () => {});
  }

  async askGrant(): Promise<string> {
    const asked = await this.#post("/v1/consents", {
      destination: "evershop",
      operations: ["retail.orders.list", "retail.order.submit"],
      routes: ["browser"],
      limits: { max_total_minor: 6000, currency: "USD" },
      purpose: "Look at past orders and order cups.",
      expires_at: formatInstant(instant(Date.now() + 24 * hourMs)),
    });
    return String(asked["consent_ref"]);
  }

  async submit(refs: Refs, operation: string, parameters: JsonObject): Promise<string> {
    const task = await this.#post("/v1/tasks", {
      profile: PROFILE_ID,
      request_id: `req_${randomUUID()}`,
      idempotency_key: `key_${randomUUID()}`,
      account_ref: refs.accountRef,
      consent_ref: refs.consentRef,
      operation,
      parameters,
      expires_at: formatInstant(instant(Date.now() + hourMs)),
    });
    return String(task["task_id"]);
  }

  /** Two white cups, to the person's address, for 60 dollars at most. */
  order(refs: Refs, itemRef: string): Promise<string> {
    return this.submit(refs, "retail.order.submit", {
      item_ref: itemRef,
      quantity: 2,
      max_total_minor: 6000,
      currency: "USD",
      fulfillment_ref: refs.fulfillmentRef,
    });
  }

  /** Follows a task until it is in one of the states, or settled. */
  async reaches(taskId: string, ...states: readonly string[]): Promise<JsonObject> {
    const until = performance.now() + taskMs;
    for (;;) {
      const answer = await this.#read(`/v1/tasks/${taskId}`);
      if ([...states, ...settled].includes(String(answer?.["state"]))) return answer ?? {};
      if (performance.now() > until) throw new Error(`the task stays ${JSON.stringify(answer)}`);
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  async get(path: string): Promise<JsonObject> {
    const until = performance.now() + taskMs;
    for (;;) {
      const answer = await this.#read(path);
      if (answer !== undefined) return answer;
      if (performance.now() > until) throw new Error(`nothing at ${path}`);
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  /** Undefined while there is no answer: a gateway that was killed is started again. */
  async #read(path: string): Promise<JsonObject | undefined> {
    const answer = await this.#whole().get(path);
    return answer.ok && answer.value.status === 200 ? answer.value.body : undefined;
  }

  async #post(path: string, body: JsonObject): Promise<JsonObject> {
    const answer = await this.#whole().post(path, JSON.stringify(body));
    if (!answer.ok) throw new Error(`${path}: ${answer.reason}`);
    if (answer.value.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.value.body)}`);
    return answer.value.body;
  }

  #whole(): AgentClient {
    if (this.#client === undefined) throw new Error("the agent was not let in yet");
    return this.#client;
  }
}
