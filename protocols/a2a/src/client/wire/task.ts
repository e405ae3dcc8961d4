import { err, isJsonObject, type Json, type JsonObject, ok, type Result } from "@countersign/wire";
import { IDENTIFIER_CHARS_MAX, PARTS_MAX, STATUS_TEXT_CHARS_MAX } from "../limits.ts";
import { isTaskState, type TaskState } from "./state.ts";

/** A task as an agent tells of it. */
export interface HeardTask {
  readonly id: string;
  readonly contextId: string;
  readonly state: TaskState;
  /** The one piece of data in the newest artifact that has any, or, where there is none, in its status message. */
  readonly data: Json | undefined;
  /** What its status message says in words: shown to the person at most, and to no model. */
  readonly text: string | undefined;
}

/** Strict about what is read: a state that is none, or two results where one is meant, is no answer. */
export function readTask(value: Json): Result<HeardTask, string> {
  if (!isObject(value)) return err("the task is no object");
  const { id, contextId, status, artifacts } = value;
  if (!isIdentifier(id) || !isIdentifier(contextId)) return err("the task has no identifiers");
  if (!isObject(status) || !isTaskState(status["state"])) return err("the task has no state");
  const state = status["state"];
  const told = status["message"];
  const message = told === undefined ? ok([]) : readParts(told);
  if (!message.ok) return message;
  const results = readArtifacts(artifacts);
  if (!results.ok) return results;
  const data = dataOf(results.value.length > 0 || state === "TASK_STATE_COMPLETED" ? results.value : message.value);
  if (!data.ok) return data;
  if (state === "TASK_STATE_COMPLETED" && data.value === undefined)
    return err("the task is completed without a result");
  return ok({ id, contextId, state, data: data.value, text: textOf(message.value) });
}

/** The data of a message that was answered instead of a task. */
export function readMessage(value: Json | undefined): Result<Json | undefined, string> {
  const parts = readParts(value);
  if (!parts.ok) return parts;
  return dataOf(parts.value);
}

function readParts(message: Json | undefined): Result<readonly JsonObject[], string> {
  if (!isObject(message) || message["role"] !== "ROLE_AGENT") return err("the message is not the agent's");
  return partsOf(message["parts"]);
}

/** The parts of the newest artifact with data: a task that goes on keeps the results of its earlier turns. */
function readArtifacts(artifacts: Json | undefined): Result<readonly JsonObject[], string> {
  if (artifacts === undefined) return ok([]);
  if (!Array.isArray(artifacts) || artifacts.length > PARTS_MAX) return err("the artifacts are no list");
  let newest: readonly JsonObject[] = [];
  for (const artifact of artifacts as readonly Json[]) {
    const parts = partsOf(isObject(artifact) ? artifact["parts"] : undefined);
    if (!parts.ok) return parts;
    if (parts.value.some(({ data }) => data !== undefined)) newest = parts.value;
  }
  return ok(newest);
}

const CONTENTS = ["text", "raw", "url", "data"] as const;

function partsOf(parts: Json | undefined): Result<readonly JsonObject[], string> {
  if (!Array.isArray(parts) || parts.length > PARTS_MAX) return err("the parts are no list");
  const read: JsonObject[] = [];
  for (const part of parts as readonly Json[]) {
    if (!isObject(part) || CONTENTS.filter((name) => part[name] !== undefined).length !== 1)
      return err("a part has not exactly one content");
    read.push(part);
  }
  return ok(read);
}

/** Two pieces of data are one too many: nobody says which is the answer. */
function dataOf(parts: readonly JsonObject[]): Result<Json | undefined, string> {
  const found = parts.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return found.length > 1 ? err("more than one piece of data came back") : ok(found[0]);
}

function textOf(parts: readonly JsonObject[]): string | undefined {
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return texts.length === 0 ? undefined : texts.join("\n").slice(0, STATUS_TEXT_CHARS_MAX);
}

/** A name of the agent's for one of its tasks or contexts; it becomes a segment of a path, so it is none that walks. */
export function isIdentifier(value: Json | undefined): value is string {
  return typeof value === "string" && !WALKS.has(value) && value.length <= IDENTIFIER_CHARS_MAX && value.isWellFormed();
}

const WALKS: ReadonlySet<string> = new Set(["", ".", ".."]);

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && isJsonObject(value);
}
