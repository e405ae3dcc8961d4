import type { Refusal } from "@countersign/gateway";
import type { Json, JsonObject } from "@countersign/wire";
import { inputRequired, type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { taskBodyForAgents } from "./answers.ts";
import { type Call, clientCan } from "./call.ts";
import { ANSWER_KEY, personPage } from "./person-page.ts";
import { resultForCaller } from "./task-result.ts";
import { stateOf, waitsForPerson } from "./wait.ts";

/** What a task of the gateway is called by the extension. What may have happened is never "failed": that invites a retry. */
type WireStatus = "working" | "input_required" | "completed" | "cancelled";

const UNKNOWN_POLL_MS = 15_000;
const params = z.looseObject({ taskId: z.string().max(200) });
const result = z.looseObject({});

export function wireStatus(task: JsonObject, canOpenUrl: boolean): WireStatus {
  switch (stateOf(task)) {
    case "succeeded":
    case "denied":
    case "expired":
    case "failed":
      return "completed";
    case "cancelled":
      return "cancelled";
    default:
      return waitsForPerson(task) && canOpenUrl ? "input_required" : "working";
  }
}

/** The flat task of the extension; the gateway keeps tasks without an end, so there is no time to live. */
export function taskMembers(call: Call, task: JsonObject): JsonObject {
  const poll = stateOf(task) === "outcome_unknown" ? UNKNOWN_POLL_MS : task["poll_after_ms"];
  return {
    taskId: task["task_id"] ?? "",
    status: wireStatus(task, clientCan(call).openUrl),
    statusMessage: task["next_step"] ?? "",
    createdAt: task["created_at"] ?? "",
    lastUpdatedAt: task["updated_at"] ?? "",
    ttlMs: null,
    ...(typeof poll === "number" && poll > 0 ? { pollIntervalMs: poll } : {}),
  };
}

/**
 * The answer to the call that began it. It names no input yet: that is asked for by tasks/get. The structured content
 * is there because the library refuses whatever a tool with an output schema answers without it.
 */
export function taskShape(call: Call, task: JsonObject): JsonObject {
  return {
    resultType: "task",
    ...taskMembers(call, task),
    structuredContent: taskBodyForAgents(call.host.issuer, task),
  };
}

/** tasks/get, tasks/update and tasks/cancel. Each looks again whose task it is. */
export function serveTasks(server: McpServer, call: Call): void {
  const { host, caller } = call;
  server.server.setRequestHandler("tasks/get", { params, result }, async ({ taskId }) => {
    const task = orUnknown(await host.port.task(caller, taskId));
    const status = wireStatus(task, clientCan(call).openUrl);
    const page = status === "input_required" ? personPage(host.issuer, task) : undefined;
    return {
      resultType: "complete",
      ...taskMembers(call, task),
      ...(status === "completed" ? { result: await outcome(call, task) } : {}),
      ...(page === undefined ? {} : { inputRequests: { [ANSWER_KEY]: inputRequired.elicitUrl(page) } }),
    };
  });
  server.server.setRequestHandler("tasks/update", { params, result }, async ({ taskId }) => {
    orUnknown(await host.port.task(caller, taskId));
    // An answer means that a page was opened, or not. Who decides, decides there; nothing is taken from here.
    return { resultType: "complete" };
  });
  server.server.setRequestHandler("tasks/cancel", { params, result }, async ({ taskId }) => {
    orUnknown(await host.port.cancel(caller, taskId));
    return { resultType: "complete" };
  });
}

async function outcome(call: Call, task: JsonObject): Promise<Json> {
  return { ...(await resultForCaller(call, task)) } as unknown as Json;
}

function orUnknown(
  found: { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly reason: Refusal },
): JsonObject {
  if (found.ok) return found.value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown task");
}
