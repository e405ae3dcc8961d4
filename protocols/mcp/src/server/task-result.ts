import type { Json, JsonObject } from "@countersign/wire";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { failed, taskBodyForAgents, told } from "./answers.ts";
import type { Call } from "./call.ts";
import { isSettled, stateOf } from "./wait.ts";

/** The result of a task that has one; what was withheld or is gone is simply not there. */
export async function resultOf(call: Call, task: JsonObject): Promise<Json | undefined> {
  if (task["result_ref"] === undefined) return undefined;
  const result = await call.host.port.result(call.caller, String(task["task_id"]));
  return result.ok ? result.value["result"] : undefined;
}

export async function bodyOf(call: Call, task: JsonObject): Promise<JsonObject> {
  return taskBodyForAgents(call.host.issuer, task, await resultOf(call, task));
}

/** What ended without being done is an error for the caller; what may have happened never invites another try. */
export async function resultForCaller(call: Call, task: JsonObject): Promise<CallToolResult> {
  const body = await bodyOf(call, task);
  return isSettled(task) && stateOf(task) !== "succeeded" ? failed(body) : told(body);
}
