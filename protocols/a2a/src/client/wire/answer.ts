import { err, isJsonObject, type Json, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import type { SpokenBinding } from "../../card/read/interfaces.ts";
import { ANSWER_BYTES_MAX, ANSWER_DEPTH_MAX } from "../limits.ts";
import { type HeardTask, readMessage, readTask } from "./task.ts";

/** What an agent answered, read from the bytes as they came. */
export type Heard =
  | { readonly kind: "task"; readonly task: HeardTask }
  /** Answered at once, without a task. */
  | { readonly kind: "message"; readonly data: Json | undefined }
  /** One of the protocol's own errors, by its reason, or an error of JSON-RPC. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It has not activated an extension that it requires itself. */
  | { readonly kind: "unactivated" }
  /** It does not take the token. */
  | { readonly kind: "signed_out" }
  /** Not as the protocol says, or about something else than what was asked: nothing is learnt from it. */
  | { readonly kind: "unreadable"; readonly why: string };

/** What an answer has to be about. */
export interface Expected {
  readonly binding: SpokenBinding;
  readonly method: "SendMessage" | "GetTask";
  readonly id: string | undefined;
  /** The task that was named; an answer about another one is about something else. */
  readonly taskId?: string;
  readonly contextId?: string;
  /** URIs that the agent must say it has activated (a2a.md section 6, rule 5). */
  readonly required: readonly string[];
}

export interface Raw {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

const unreadable = (why: string): Heard => ({ kind: "unreadable", why });

export function readAnswer(raw: Raw, expected: Expected): Heard {
  if (raw.status === 401) return { kind: "signed_out" };
  const parsed = parseJson(raw.body, { maxBytes: ANSWER_BYTES_MAX, maxDepth: ANSWER_DEPTH_MAX });
  if (!parsed.ok || !isJsonObject(parsed.value)) return unreadable("no JSON object came back");
  const opened =
    expected.binding === "JSONRPC" ? openJsonRpc(raw, parsed.value, expected) : openHttp(raw, parsed.value);
  if (!opened.ok) return opened.reason;
  const active = activated(raw);
  if (!expected.required.every((uri) => active.includes(uri))) return { kind: "unactivated" };
  return readResult(opened.value, expected);
}

function activated(raw: Raw): readonly string[] {
  return (raw.header("a2a-extensions") ?? "").split(",").map((uri) => uri.trim());
}

function openJsonRpc(raw: Raw, body: JsonObject, { id }: Expected): Result<Json, Heard> {
  const { jsonrpc, error, result } = body;
  if (jsonrpc !== "2.0" || body["id"] !== id) return err(unreadable("the answer is to another request"));
  if (error !== undefined && result === undefined && isObject(error)) return err(refusedBy(error, error["data"]));
  if (raw.status !== 200 || error !== undefined || result === undefined)
    return err(unreadable("the answer is neither a result nor an error"));
  return ok(result);
}

function openHttp(raw: Raw, body: JsonObject): Result<Json, Heard> {
  if (raw.status === 200) return ok(body);
  const { error } = body;
  // An error of the protocol says so itself; whatever else stands before the agent has its own pages for 4xx.
  return err(
    isObject(error) && error["code"] === raw.status && raw.status < 500
      ? refusedBy(error, error["details"])
      : unreadable("the answer is neither a result nor an error"),
  );
}

const ERROR_DOMAIN = "a2a-protocol.org";
const REASON = /^[A-Z][A-Z0-9_]{0,62}$/;
/** JSON-RPC's own codes that say that nothing was done; an internal error says nothing of the kind. */
const INTERNAL_ERROR = -32_603;
const BY_CODE: ReadonlyMap<Json | undefined, string> = new Map([
  [-32_001, "TASK_NOT_FOUND"],
  [-32_002, "TASK_NOT_CANCELABLE"],
  [-32_003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  [-32_004, "UNSUPPORTED_OPERATION"],
  [-32_005, "CONTENT_TYPE_NOT_SUPPORTED"],
  [-32_006, "INVALID_AGENT_RESPONSE"],
  [-32_008, "EXTENSION_SUPPORT_REQUIRED"],
  [-32_009, "VERSION_NOT_SUPPORTED"],
]);

function refusedBy(error: JsonObject, details: Json | undefined): Heard {
  if (error["code"] === INTERNAL_ERROR) return unreadable("the agent broke on the request");
  const known = BY_CODE.get(error["code"]);
  if (known !== undefined) return { kind: "refused", reason: known };
  const infos = Array.isArray(details) ? details.filter(isObject) : [];
  const info = infos.find((each) => each["domain"] === ERROR_DOMAIN);
  const reason = info?.["reason"];
  return { kind: "refused", reason: typeof reason === "string" && REASON.test(reason) ? reason : "INVALID_REQUEST" };
}

function readResult(result: Json, expected: Expected): Heard {
  if (!isObject(result)) return unreadable("the result is no object");
  if (expected.method === "GetTask") return heardTask(result, expected);
  const { task, message, ...others } = result;
  if (Object.keys(others).length > 0 || (task === undefined) === (message === undefined))
    return unreadable("the result is not exactly a task or a message");
  if (task !== undefined) return heardTask(task, expected);
  if (expected.taskId !== undefined) return unreadable("a message came back for a task");
  const read = readMessage(message);
  return read.ok ? { kind: "message", data: read.value } : unreadable(read.reason);
}

function heardTask(value: Json, { taskId, contextId }: Expected): Heard {
  const read = readTask(value);
  if (!read.ok) return unreadable(read.reason);
  if (taskId !== undefined && read.value.id !== taskId) return unreadable("the answer is about another task");
  if (contextId !== undefined && read.value.contextId !== contextId)
    return unreadable("the answer is about another context");
  return { kind: "task", task: read.value };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && isJsonObject(value);
}
