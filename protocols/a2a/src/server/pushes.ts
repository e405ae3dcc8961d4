import type { TaskPush } from "@countersign/gateway";
import { err, isJsonObject, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import { type A2aError, broken, failure } from "../wire/errors.ts";
import type { SentPushConfig } from "../wire/read.ts";
import type { Call } from "./call.ts";
import { type GatewayTask, taskIdOf } from "./task-view.ts";

// Where a client wants to hear of a task. Its credentials are sealed with the address and never listed back; they go to
// that address and nowhere else.

/** What is kept of a configuration beside its address. */
export interface KeptPush {
  readonly token?: string;
  readonly scheme?: string;
  readonly credentials?: string;
}

const NOT_ALLOWED = broken("url", "an https address that is public");

/** Why an address cannot be told of a task: said before a task is made for whoever names it. */
export async function pushProblem(call: Call, config: SentPushConfig): Promise<A2aError | undefined> {
  const { pushes } = call.host;
  if (pushes === undefined) return failure("PUSH_NOTIFICATION_NOT_SUPPORTED");
  return (await pushes.allows(config.url)) ? undefined : NOT_ALLOWED;
}

/** `task`: as its client has been told of it. */
export async function storePush(
  call: Call,
  task: GatewayTask,
  config: SentPushConfig,
): Promise<Result<JsonObject, A2aError>> {
  const { pushes } = call.host;
  if (pushes === undefined) return err(failure("PUSH_NOTIFICATION_NOT_SUPPORTED"));
  const { token, authentication } = config;
  const kept: KeptPush = {
    ...(token === undefined ? {} : { token }),
    ...(authentication === undefined ? {} : { scheme: authentication.scheme }),
    ...(authentication?.credentials === undefined ? {} : { credentials: authentication.credentials }),
  };
  const taskId = taskIdOf(task);
  const toldState = String(task["state"]);
  const push = { id: config.id ?? call.host.newId("push"), url: config.url, kept: JSON.stringify(kept), toldState };
  const stored = await pushes.put(call.caller, taskId, push);
  if (stored.ok) return ok(configOf(taskId, push));
  switch (stored.reason) {
    case "not_found":
      return err(failure("TASK_NOT_FOUND"));
    case "bad_url":
      return err(NOT_ALLOWED);
    case "too_many":
      return err(broken("taskId", "has as many configurations as a task may have"));
  }
}

export async function listPushes(call: Call, taskId: string): Promise<Result<readonly JsonObject[], A2aError>> {
  const { pushes } = call.host;
  if (pushes === undefined) return err(failure("PUSH_NOTIFICATION_NOT_SUPPORTED"));
  const found = await pushes.list(call.caller, taskId);
  return found.ok ? ok(found.value.map((push) => configOf(taskId, push))) : err(failure("TASK_NOT_FOUND"));
}

export async function removePush(call: Call, taskId: string, id: string): Promise<Result<undefined, A2aError>> {
  const { pushes } = call.host;
  if (pushes === undefined) return err(failure("PUSH_NOTIFICATION_NOT_SUPPORTED"));
  const removed = await pushes.remove(call.caller, taskId, id);
  return removed.ok ? ok(undefined) : err(failure("TASK_NOT_FOUND"));
}

export function keptOf(push: TaskPush): KeptPush {
  const read = parseJson(push.kept);
  if (!read.ok || !isJsonObject(read.value)) return {};
  const { token, scheme, credentials } = read.value;
  return {
    ...(typeof token === "string" ? { token } : {}),
    ...(typeof scheme === "string" ? { scheme } : {}),
    ...(typeof credentials === "string" ? { credentials } : {}),
  };
}

function configOf(taskId: string, push: TaskPush): JsonObject {
  const { scheme } = keptOf(push);
  return { id: push.id, taskId, url: push.url, ...(scheme === undefined ? {} : { authentication: { scheme } }) };
}
