import { randomUUID } from "node:crypto";
import { PROFILE_ID } from "@countersign/profile";
import { formatInstant, instant, isJsonObject, type JsonObject, secret } from "@countersign/wire";
import { type AgentClient, createAgentClient } from "../../packages/countersign/src/agent/client.ts";
import { askGateway } from "../../packages/countersign/src/setup/admin-client.ts";
import { lookEveryMs, taskMs } from "./limits.ts";

const hourMs = 3_600_000;
const settled: readonly string[] = ["succeeded", "denied", "expired", "failed", "cancelled"];

/** An agent with its own credential, over HTTP like any other. */
export class Agent {
  readonly #client: AgentClient;
  #refs: JsonObject = {};

  private constructor(client: AgentClient) {
    this.#client = client;
  }

  /** Asks to be let in; `accept` is what the person does about it. */
  static async join(dataDir: string, name: string, accept: () => Promise<void>): Promise<Agent> {
    const added = await askGateway(dataDir, { command: "agent_add", name });
    if (!added.ok) throw new Error("no agent can be added");
    const clientId = String(added.value["client_id"]);
    await accept();
    const given = await askGateway(dataDir, { command: "agent_credential", client_id: clientId });
    if (!given.ok) throw new Error("the agent gets no credential");
    const { token_endpoint: tokenEndpoint, resource, refresh_token: refreshToken } = given.value;
    const credential = {
      clientId,
      tokenEndpoint: String(tokenEndpoint),
      resource: String(resource),
      refreshToken: secret(String(refreshToken)),
    };
    return new Agent(createAgentClient(credential, () => {}));
  }

  /** Asks for a grant to order; `grant` is what the person does about it. */
  async askGrant(purpose: string, grant: () => Promise<void>): Promise<void> {
    const asked = await this.#post("/v1/consents", {
      destination: "practice-shop",
      operations: ["retail.order.submit"],
      routes: ["browser"],
      limits: { max_total_minor: 6000, currency: "EUR" },
      purpose,
      expires_at: formatInstant(instant(Date.now() + 24 * hourMs)),
    });
    await grant();
    const consent = await this.#get(`/v1/consents/${String(asked["consent_ref"])}`);
    const { references } = await this.#get(`/v1/accounts/${String(consent["account_ref"])}/capabilities`);
    const all = Array.isArray(references) ? references.filter((each) => isJsonObject(each)) : [];
    const home = all.find((each) => each["kind"] === "fulfillment");
    if (home === undefined) throw new Error("the account has no address");
    this.#refs = {
      account_ref: String(consent["account_ref"]),
      consent_ref: String(asked["consent_ref"]),
      fulfillment_ref: String(home["ref"]),
    };
  }

  /** One trail lamp. @returns the task, once it waits for the person. */
  async order(): Promise<string> {
    const { fulfillment_ref = "", ...refs } = this.#refs;
    const task = await this.#post("/v1/tasks", {
      profile: PROFILE_ID,
      request_id: `req_${randomUUID()}`,
      idempotency_key: `key_${randomUUID()}`,
      ...refs,
      operation: "retail.order.submit",
      parameters: { item_ref: "TL-200", quantity: 1, max_total_minor: 6000, currency: "EUR", fulfillment_ref },
      expires_at: formatInstant(instant(Date.now() + hourMs)),
    });
    const taskId = String(task["task_id"]);
    const state = await this.reaches(taskId, "approval_required");
    if (state !== "approval_required") throw new Error(`the order is ${state}`);
    return taskId;
  }

  /** Follows a task until it is in this state, or settled. */
  async reaches(taskId: string, wanted?: string): Promise<string> {
    const until = performance.now() + taskMs;
    for (;;) {
      const state = String((await this.#get(`/v1/tasks/${taskId}`))["state"]);
      if (state === wanted || settled.includes(state)) return state;
      if (performance.now() > until) throw new Error(`the task stays ${state}`);
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  async #get(path: string): Promise<JsonObject> {
    const answer = await this.#client.get(path);
    if (!answer.ok || answer.value.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.value.body;
  }

  async #post(path: string, body: JsonObject): Promise<JsonObject> {
    const answer = await this.#client.post(path, JSON.stringify(body));
    if (!answer.ok || answer.value.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.value.body;
  }
}
