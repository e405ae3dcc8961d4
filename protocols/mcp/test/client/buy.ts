import type { JsonObject } from "@countersign/wire";
import { orderRequest } from "../../../../test/support/agent.ts";
import type { UpstreamWorld } from "./world.ts";

/** Asks for an order and waits until it is to be decided; the item is named, so that no two wishes are equal. */
export async function ask(ready: UpstreamWorld, quantity = 1, more: JsonObject = {}): Promise<string> {
  const parameters = { quantity, max_total_minor: 900_000, ...more };
  const asked = await ready.agent.post("/v1/tasks", orderRequest(ready, { parameters }));
  return String(asked.json["task_id"]);
}

export async function approve(ready: UpstreamWorld, taskId: string): Promise<void> {
  await ready.agent.reaches(taskId, "approval_required");
  await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
}

/** Asks, approves, and waits until it is settled or unknown. */
export async function buy(ready: UpstreamWorld, quantity = 1): Promise<JsonObject & { readonly task_id: string }> {
  const taskId = await ask(ready, quantity);
  await approve(ready, taskId);
  return { ...(await ready.agent.reaches(taskId, "outcome_unknown")), task_id: taskId };
}
