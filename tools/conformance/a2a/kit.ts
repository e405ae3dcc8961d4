import { deepStrictEqual, ok as holds } from "node:assert/strict";
import { isJsonObject, type JsonObject } from "@countersign/wire";
import { type A2aReady, orderData, readData, sending, wireOf } from "../../../test/support/a2a.ts";
import { type Answer, type BindingName, call, stateOf, type Wire } from "../../../test/support/a2a-wire.ts";
import type { Receiver } from "../../../test/support/webhook.ts";

/** One requirement of A2A 1.0, and how it is looked at from outside. */
export interface Row {
  /** As protocols name it, for example `CORE-SEND-001`. */
  readonly id: string;
  readonly says: string;
  /** `both`: once over each binding. */
  readonly over: "both" | BindingName | "card";
  run(kit: Kit): Promise<void>;
}

/** A requirement that has nothing to look at here, with the reason. */
export interface LeftOut {
  readonly id: string;
  readonly why: string;
}

export interface Kit {
  readonly ready: A2aReady;
  readonly wire: Wire;
  /** Another agent of the same account holder. */
  readonly stranger: Wire;
  readonly receiver: Receiver;
  /** Gateways that are composed in another way. */
  readonly requiring: Wire;
  readonly pushless: Wire;
}

export function kitFor(kit: Kit, binding: BindingName): Kit {
  const over = (wire: Wire): Wire => ({ ...wire, binding });
  return {
    ...kit,
    wire: over(kit.wire),
    stranger: over(kit.stranger),
    requiring: over(kit.requiring),
    pushless: over(kit.pushless),
  };
}

export { deepStrictEqual, holds };

export function reason(answer: Answer, expected: string, code: number, http: number, binding: BindingName): void {
  deepStrictEqual(answer.error?.reason, expected);
  deepStrictEqual(answer.error?.code, binding === "JSONRPC" ? code : http);
  if (binding === "HTTP+JSON") deepStrictEqual(answer.status, http);
}

export function taskOf(answer: Answer): JsonObject {
  const task = answer.result["task"];
  holds(task !== undefined && isJsonObject(task), `a task is answered: ${JSON.stringify(answer.body).slice(0, 300)}`);
  return task;
}

export function idOf(task: JsonObject): string {
  return String(task["id"]);
}

/** A task that is over. */
export async function completed(kit: Kit, change: JsonObject = {}): Promise<JsonObject> {
  const task = taskOf(await call(kit.wire, "SendMessage", sending(readData(kit.ready), change)));
  deepStrictEqual(stateOf(task), "TASK_STATE_COMPLETED");
  return task;
}

/** A task that waits for the account holder. */
export async function parked(kit: Kit, change: JsonObject = {}, configuration?: JsonObject): Promise<JsonObject> {
  const task = taskOf(await call(kit.wire, "SendMessage", sending(orderData(kit.ready), change, configuration)));
  deepStrictEqual(stateOf(task), "TASK_STATE_AUTH_REQUIRED");
  return task;
}

export async function withdrawn(kit: Kit, task: JsonObject): Promise<void> {
  await call(kit.wire, "CancelTask", { id: idOf(task) });
}

export async function decided(kit: Kit, task: JsonObject, decision: "approved" | "denied"): Promise<void> {
  await kit.ready.person.decide(await kit.ready.person.approvalFor(idOf(task)), decision);
}

export { wireOf };
