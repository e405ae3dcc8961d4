import { assert, type JsonObject } from "@countersign/wire";
import type { Agent } from "../../test/support/agent.ts";
import { orderRequest } from "../../test/support/agent.ts";
import { until } from "../../test/support/http.ts";
import type { Person } from "../../test/support/person.ts";

export interface Scenario {
  readonly name: string;
  play(python: string): Promise<void>;
}

/** The person decides what waits for them, once it does. */
export async function approve(agent: Agent, person: Person, taskId: string): Promise<void> {
  await agent.reaches(taskId, "approval_required");
  const decided = await person.decide(await person.approvalFor(taskId), "approved");
  assert(decided.status === 200, `the person approves: ${decided.text}`);
}

export interface Wish {
  readonly agent: Agent;
  readonly person: Person;
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}

/** An order at a destination, from the request to its end. */
export async function buy(wish: Wish): Promise<JsonObject> {
  const asked = await wish.agent.post("/v1/tasks", orderRequest(wish));
  assert(asked.status === 201, `the order is taken: ${asked.text}`);
  const taskId = String(asked.json["task_id"]);
  await approve(wish.agent, wish.person, taskId);
  const ended = await wish.agent.reaches(taskId);
  assert(ended["state"] === "succeeded", `the order is placed: ${JSON.stringify(ended)}`);
  return (await wish.agent.get(`/v1/tasks/${taskId}/result`)).json["result"] as JsonObject;
}

/** What the foreign shop has taken, once it answers. */
export async function ordersOf(origin: string): Promise<readonly JsonObject[]> {
  const answer = await until(
    () =>
      fetch(`${origin}/control/orders`).then(
        (response) => response.json() as Promise<readonly JsonObject[]>,
        () => undefined,
      ),
    (orders) => orders !== undefined,
    "the foreign shop to listen",
  );
  return answer ?? [];
}

/** The account's address that orders are delivered to. */
export async function homeOf(agent: Agent, accountRef: string): Promise<string> {
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const [home] = capabilities.json["references"] as { readonly ref: string }[];
  assert(home !== undefined, `the account has an address: ${capabilities.text}`);
  return home.ref;
}
