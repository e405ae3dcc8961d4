import { randomUUID } from "node:crypto";
import { isJsonObject, type Json, type JsonObject, parseJson } from "@countersign/wire";

// A client of A2A 1.0 by hand, the same words over both bindings: it sends what it is told, however wrong.

export const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
export type BindingName = (typeof BINDINGS)[number];

export interface Wire {
  readonly issuer: string;
  readonly token: string;
  readonly binding: BindingName;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
  readonly result: JsonObject;
  /** What went wrong, whatever binding said it: its code or HTTP status, and the reason of its ErrorInfo. */
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly reason: string;
    readonly details: readonly JsonObject[];
  };
}

export interface More {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

interface Route {
  readonly verb: string;
  readonly path: (params: JsonObject) => string;
}
const body = (path: string): Route => ({ verb: "POST", path: () => path });
const task = (verb: string, tail = ""): Route => ({ verb, path: ({ id }) => `/tasks/${String(id)}${tail}` });
const push = (verb: string, tail: (params: JsonObject) => string = () => ""): Route => ({
  verb,
  path: (params) => `/tasks/${String(params["taskId"])}/pushNotificationConfigs${tail(params)}`,
});
const named = ({ id }: JsonObject) => `/${String(id)}`;

const ROUTES: Readonly<Record<string, Route>> = {
  SendMessage: body("/message:send"),
  SendStreamingMessage: body("/message:stream"),
  GetTask: task("GET"),
  ListTasks: { verb: "GET", path: () => "/tasks" },
  CancelTask: task("POST", ":cancel"),
  SubscribeToTask: task("POST", ":subscribe"),
  CreateTaskPushNotificationConfig: push("POST"),
  GetTaskPushNotificationConfig: push("GET", named),
  ListTaskPushNotificationConfigs: push("GET"),
  DeleteTaskPushNotificationConfig: push("DELETE", named),
  GetExtendedAgentCard: { verb: "GET", path: () => "/extendedAgentCard" },
};

/** Sends one request; streams are read by {@link stream}. */
export async function call(wire: Wire, operation: string, params: JsonObject = {}, more: More = {}): Promise<Answer> {
  return answerOf(wire, await ask(wire, operation, params, more));
}

export async function ask(wire: Wire, operation: string, params: JsonObject, more: More = {}): Promise<Response> {
  const { issuer, token, binding } = wire;
  const given: Record<string, string | undefined> = {
    authorization: `Bearer ${token}`,
    "a2a-version": "1.0",
    "content-type": binding === "JSONRPC" ? "application/json" : "application/a2a+json",
    ...more.headers,
  };
  const headers = Object.fromEntries(
    Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined),
  );
  const signal = more.signal === undefined ? {} : { signal: more.signal };
  if (binding === "JSONRPC") {
    const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: operation, params });
    return fetch(`${issuer}/a2a`, { method: "POST", headers, body: request, ...signal });
  }
  const { verb, path } = ROUTES[operation] ?? { verb: "POST", path: () => `/${operation}` };
  const url = new URL(`${issuer}/a2a${path(params)}`);
  if (verb !== "GET") {
    const sent = verb === "DELETE" ? {} : { body: JSON.stringify(params) };
    return fetch(url, { method: verb, headers, ...sent, ...signal });
  }
  for (const [name, value] of Object.entries(params)) {
    if (!(operation !== "ListTasks" && (name === "id" || name === "taskId"))) url.searchParams.set(name, String(value));
  }
  return fetch(url, { method: verb, headers, ...signal });
}

export async function answerOf({ binding }: Pick<Wire, "binding">, response: Response): Promise<Answer> {
  const text = await response.text();
  const read = parseJson(text === "" ? "{}" : text, { maxBytes: 8 * 1024 * 1024 });
  const json = read.ok && isJsonObject(read.value) ? read.value : {};
  const error = isJsonObject(json["error"] ?? null) ? (json["error"] as JsonObject) : undefined;
  const result = binding === "JSONRPC" ? json["result"] : json;
  const details = ((binding === "JSONRPC" ? error?.["data"] : error?.["details"]) ?? []) as readonly JsonObject[];
  return {
    status: response.status,
    headers: response.headers,
    body: json,
    result: result !== undefined && isJsonObject(result) ? result : {},
    ...(error === undefined
      ? {}
      : {
          error: {
            code: Number(error["code"]),
            message: String(error["message"]),
            reason: String(details[0]?.["reason"]),
            details,
          },
        }),
  };
}

/** The responses of a stream, one after the other; leaving the loop closes it. */
export async function* stream(
  wire: Wire,
  operation: string,
  params: JsonObject,
  more: More = {},
): AsyncGenerator<JsonObject, void, undefined> {
  const gone = new AbortController();
  const response = await ask(wire, operation, params, { ...more, signal: more.signal ?? gone.signal });
  if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    const { error } = await answerOf(wire, response);
    throw new Error(`no stream: ${error?.reason ?? response.status}`);
  }
  try {
    for await (const data of events(response)) {
      const read = parseJson(data, { maxBytes: 8 * 1024 * 1024 });
      const value: Json = read.ok ? read.value : null;
      const inner = wire.binding === "JSONRPC" && value !== null && isJsonObject(value) ? value["result"] : value;
      if (inner !== undefined && inner !== null && isJsonObject(inner)) yield inner;
    }
  } finally {
    gone.abort();
  }
}

async function* events(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const event of whole) {
      const data = event
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trim());
      if (data.length > 0) yield data.join("\n");
    }
  }
}

/** A message with one data part. */
export function dataMessage(data: Json, change: JsonObject = {}): JsonObject {
  return { messageId: randomUUID(), role: "ROLE_USER", parts: [{ data, mediaType: "application/json" }], ...change };
}

export function stateOf(task: Json | undefined): string {
  const status = task !== undefined && task !== null && isJsonObject(task) ? task["status"] : undefined;
  return status !== undefined && isJsonObject(status) ? String(status["state"]) : "";
}
