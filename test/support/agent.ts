import { randomUUID } from "node:crypto";
import { assert, formatInstant, instant, type JsonObject } from "@countersign/wire";
import { askGateway } from "../../packages/countersign/src/setup/admin-client.ts";
import { type Reply, send, until } from "./http.ts";
import type { Person, Where } from "./person.ts";

const SETTLED = ["succeeded", "denied", "expired", "failed", "cancelled"];

/** An agent with its own credential, over HTTP like any other. */
export class Agent {
  readonly world: Where;
  readonly clientId: string;
  token: string;
  /** Changes at every use. */
  #refreshToken: string;

  constructor(world: Where, clientId: string, token: string, refreshToken = "") {
    this.world = world;
    this.clientId = clientId;
    this.token = token;
    this.#refreshToken = refreshToken;
  }

  /** An access token for another resource of the gateway. */
  async tokenFor(resource: string): Promise<string> {
    const reply = await refresh(this.world, this.clientId, this.#refreshToken, resource);
    this.#refreshToken = String(reply["refresh_token"]);
    return String(reply["access_token"]);
  }

  static async join(world: Where, person: Person, name = "Errand agent"): Promise<Agent> {
    const added = await askGateway(world.dataDir, { command: "agent_add", name });
    assert(added.ok, "an agent can be asked for");
    const clientId = String(added.value["client_id"]);
    const yes = await person.post(`/agents/${clientId}/decision`, { decision: "accept" });
    assert(yes.status === 200, `the person says yes: ${yes.text}`);
    return takeToken(world, clientId);
  }

  get(path: string): Promise<Reply> {
    return send(this.world.issuer, "GET", path, { headers: { authorization: `Bearer ${this.token}` } });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return send(this.world.issuer, "POST", path, {
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json", ...headers },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  }

  async askGrant(request: JsonObject): Promise<string> {
    const reply = await this.post("/v1/consents", {
      purpose: "Household errands",
      expires_at: hoursAhead(24),
      ...request,
    });
    assert(reply.status === 201, `a grant is asked for: ${reply.text}`);
    return String(reply.json["consent_ref"]);
  }

  task(taskId: string): Promise<Reply> {
    return this.get(`/v1/tasks/${taskId}`);
  }

  /** Polls until the task is in one of the states, or settled. */
  async reaches(taskId: string, ...states: string[]): Promise<JsonObject> {
    const reply = await until(
      () => this.task(taskId),
      (r) => [...states, ...SETTLED].includes(String(r.json["state"])),
      `${taskId} in ${states.join(" or ")}`,
    );
    return reply.json;
  }
}

/** Fetches an accepted agent's credential and makes its first access token. */
export async function takeToken(world: Where, clientId: string): Promise<Agent> {
  const credential = await askGateway(world.dataDir, { command: "agent_credential", client_id: clientId });
  assert(credential.ok, "the credential can be fetched once");
  const given = await refresh(world, clientId, String(credential.value["refresh_token"]));
  return new Agent(world, clientId, String(given["access_token"]), String(given["refresh_token"]));
}

async function refresh(world: Where, clientId: string, token: string, resource?: string): Promise<JsonObject> {
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: token,
    ...(resource === undefined ? {} : { resource }),
  });
  const reply = await send(world.issuer, "POST", "/oauth/token", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  assert(reply.status === 200, `a token is given: ${reply.text}`);
  return reply.json;
}

export function hoursAhead(hours: number): string {
  return formatInstant(instant(Date.now() + hours * 3_600_000));
}

export function orderRequest(
  refs: { readonly accountRef: string; readonly consentRef: string; readonly fulfillmentRef: string },
  change: JsonObject = {},
): JsonObject {
  const { parameters = {}, ...rest } = change;
  return {
    profile: "sophtron.agentic-web-execution/0.1",
    request_id: `req_${randomUUID()}`,
    idempotency_key: `key_${randomUUID()}`,
    account_ref: refs.accountRef,
    consent_ref: refs.consentRef,
    operation: "retail.order.submit",
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: 6000,
      currency: "EUR",
      fulfillment_ref: refs.fulfillmentRef,
      ...(parameters as JsonObject),
    },
    expires_at: hoursAhead(2),
    ...rest,
  };
}
