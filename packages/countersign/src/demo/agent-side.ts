import { randomUUID } from "node:crypto";
import { PROFILE_ID } from "@countersign/profile";
import { assert, formatInstant, instant, type JsonObject, secret } from "@countersign/wire";
import { type AgentClient, createAgentClient } from "../agent/client.ts";
import { askGateway } from "../setup/admin-client.ts";

const LOOK_MS = 250;
const SETTLED: readonly string[] = ["succeeded", "denied", "expired", "failed", "cancelled"];

export type Note = (line: string) => void;

/** Asks to be let in and waits for the account holder's yes. */
export async function joinGateway(dataDir: string, note: Note): Promise<AgentClient> {
  const added = await askGateway(dataDir, { command: "agent_add", name: "Demo errand agent" });
  assert(added.ok, "the gateway of the demo answers");
  const clientId = String(added.value["client_id"]);
  note(`The agent asks to be let in: ${String(added.value["url"])}`);
  for (;;) {
    const answer = await askGateway(dataDir, { command: "agent_credential", client_id: clientId });
    if (answer.ok) {
      const { token_endpoint: tokenEndpoint, resource, refresh_token: refreshToken } = answer.value;
      const credential = {
        clientId,
        tokenEndpoint: String(tokenEndpoint),
        resource: String(resource),
        refreshToken: secret(String(refreshToken)),
      };
      return createAgentClient(credential, () => {});
    }
    if (answer.reason.kind === "not_running" || answer.reason.reason !== "waiting")
      throw new DemoStopped("the agent was refused");
    await pause();
  }
}

export interface Granted {
  readonly consentRef: string;
  readonly accountRef: string;
  readonly fulfillmentRef: string;
}

/** Asks for a grant, waits for it, and discovers what the account offers. */
export async function obtainGrant(agent: AgentClient, issuer: string, note: Note): Promise<Granted> {
  const asked = await ask(agent, "/v1/consents", {
    destination: "practice-shop",
    operations: ["retail.orders.list", "retail.order.submit"],
    routes: ["browser"],
    limits: { max_total_minor: 6000, currency: "EUR" },
    purpose: "Look at past orders and order one trail lamp, as the demonstration.",
    expires_at: formatInstant(instant(Date.now() + 24 * 3_600_000)),
  });
  const consentRef = String(asked["consent_ref"]);
  note(`The agent asks for a grant: ${issuer}/consents/${consentRef}`);
  const granted = await poll(agent, `/v1/consents/${consentRef}`, (body) => body["state"] !== "requested");
  if (granted["state"] !== "granted") throw new DemoStopped("the grant was refused");
  note("Granted.");
  const accountRef = String(granted["account_ref"]);
  const capabilities = await read(agent, `/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities["references"];
  const home = Array.isArray(references)
    ? references.find((r) => typeof r === "object" && r !== null && "kind" in r && r.kind === "fulfillment")
    : undefined;
  assert(
    typeof home === "object" && home !== null && "ref" in home && typeof home.ref === "string",
    "the account has an address",
  );
  return { consentRef, accountRef, fulfillmentRef: home.ref };
}

/** Submits one request and follows the task to its end, telling each state once. */
export async function runTask(
  agent: AgentClient,
  granted: Granted,
  operation: string,
  parameters: JsonObject,
  note: Note,
): Promise<JsonObject> {
  const submitted = await ask(agent, "/v1/tasks", {
    profile: PROFILE_ID,
    request_id: `req_${randomUUID()}`,
    idempotency_key: `demo_${randomUUID()}`,
    account_ref: granted.accountRef,
    consent_ref: granted.consentRef,
    operation,
    parameters,
    expires_at: formatInstant(instant(Date.now() + 3_600_000)),
  });
  const taskId = String(submitted["task_id"]);
  let shown = "";
  const tell = (body: JsonObject) => {
    const state = String(body["state"]);
    if (state !== shown)
      note(`  ${operation}: ${state}${body["reason"] === undefined ? "" : ` (${String(body["reason"])})`}`);
    shown = state;
    return SETTLED.includes(state);
  };
  tell(submitted);
  return poll(agent, `/v1/tasks/${taskId}`, tell);
}

/** Reads what may not be there yet: a result, a receipt. */
export async function read(agent: AgentClient, path: string): Promise<JsonObject> {
  for (;;) {
    const answer = await agent.get(path);
    if (!answer.ok) throw new DemoStopped("the gateway does not answer the agent");
    if (answer.value.status === 200) return answer.value.body;
    if (answer.value.body["reason"] !== "not_ready") throw new DemoStopped(`${path} answered ${answer.value.status}`);
    await pause();
  }
}

async function ask(agent: AgentClient, path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await agent.post(path, JSON.stringify(body));
  if (!answer.ok || answer.value.status !== 201)
    throw new DemoStopped(`${path} was not taken: ${answer.ok ? JSON.stringify(answer.value.body) : answer.reason}`);
  return answer.value.body;
}

async function poll(agent: AgentClient, path: string, done: (body: JsonObject) => boolean): Promise<JsonObject> {
  for (;;) {
    const body = await read(agent, path);
    if (done(body)) return body;
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** The demonstration cannot go on, with a sentence for the terminal. */
export class DemoStopped extends Error {
  override readonly name = "DemoStopped";
}
