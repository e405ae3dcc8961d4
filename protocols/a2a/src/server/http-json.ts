import { err, isJsonObject, type JsonObject, ok, type Result } from "@countersign/wire";
import { A2A_PATH } from "../versions.ts";
import { type A2aError, broken, failure, httpError } from "../wire/errors.ts";
import { readBody } from "./body.ts";
import type { Call } from "./call.ts";
import { OPERATIONS, type OperationName, STREAMS } from "./operations.ts";
import { sse } from "./sse.ts";

// HTTP+JSON: the same operations by paths and verbs. What stands in the path wins over what stands in the body.

const MEDIA_TYPE = "application/a2a+json";
const TAKEN = /^application\/(a2a\+)?json\s*(;|$)/i;

interface Routed {
  readonly operation: OperationName;
  /** From the path. */
  readonly named: JsonObject;
  readonly input: "body" | "optional_body" | "query";
}

export async function serveHttpJson(
  request: Request,
  begin: () => Result<Call, A2aError>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const answer = (body: JsonObject, status = 200) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { ...headers, "content-type": MEDIA_TYPE, "cache-control": "no-store" },
    });
  const refuse = (error: A2aError) => {
    const { status, body } = httpError(error);
    return answer(body, status);
  };
  const routed = route(request.method, new URL(request.url).pathname);
  if (routed === undefined) return refuse(failure("METHOD_NOT_FOUND"));
  const begun = begin();
  if (!begun.ok) return refuse(begun.reason);
  const call = begun.value;
  const read = await paramsOf(request, routed);
  if (!read.ok) return refuse(read.reason);
  const { operation } = routed;
  try {
    if (operation in STREAMS) {
      const stream = await STREAMS[operation as keyof typeof STREAMS](call, read.value);
      if (!stream.ok) return refuse(stream.reason);
      return sse(stream.value, (response) => response, { headers, log: call.host.log });
    }
    const done = await OPERATIONS[operation as keyof typeof OPERATIONS](call, read.value);
    return done.ok ? answer(done.value) : refuse(done.reason);
  } catch (error) {
    call.host.log.error("a2a.failed", { method: operation, kind: error instanceof Error ? error.name : "unknown" });
    return refuse(failure("INTERNAL"));
  }
}

/** Which operation a verb and a path mean. */
export function route(method: string, pathname: string): Routed | undefined {
  const [first = "", second, third, fourth, ...more] = pathname.slice(A2A_PATH.length + 1).split("/");
  if (more.length > 0 || (first !== "tasks" && second !== undefined)) return undefined;
  const is = (verb: string, ...steps: readonly (string | undefined)[]) =>
    method === verb && steps.every((s) => s === undefined);
  if (first === "message:send" && is("POST", second)) return of("SendMessage", {}, "body");
  if (first === "message:stream" && is("POST", second)) return of("SendStreamingMessage", {}, "body");
  if (first === "extendedAgentCard" && is("GET", second)) return of("GetExtendedAgentCard", {}, "query");
  if (first !== "tasks") return undefined;
  if (second === undefined) return method === "GET" ? of("ListTasks", {}, "query") : undefined;
  if (third === undefined) return taskRoute(method, second);
  if (third !== "pushNotificationConfigs") return undefined;
  const taskId = second;
  if (fourth === undefined) {
    if (method === "POST") return of("CreateTaskPushNotificationConfig", { taskId }, "body");
    return method === "GET" ? of("ListTaskPushNotificationConfigs", { taskId }, "query") : undefined;
  }
  if (method === "GET") return of("GetTaskPushNotificationConfig", { taskId, id: fourth }, "query");
  return method === "DELETE" ? of("DeleteTaskPushNotificationConfig", { taskId, id: fourth }, "query") : undefined;
}

function taskRoute(method: string, segment: string): Routed | undefined {
  const [id = "", verb, ...more] = segment.split(":");
  if (more.length > 0) return undefined;
  if (verb === undefined) return method === "GET" ? of("GetTask", { id }, "query") : undefined;
  if (verb === "cancel") return method === "POST" ? of("CancelTask", { id }, "optional_body") : undefined;
  // The model says GET and the text POST: both are served.
  if (verb !== "subscribe") return undefined;
  if (method === "GET") return of("SubscribeToTask", { id }, "query");
  return method === "POST" ? of("SubscribeToTask", { id }, "optional_body") : undefined;
}

function of(operation: OperationName, named: JsonObject, input: Routed["input"]): Routed {
  return { operation, named, input };
}

async function paramsOf(request: Request, { named, input }: Routed): Promise<Result<JsonObject, A2aError>> {
  if (input === "query") {
    const query = queryOf(new URL(request.url).searchParams);
    return query.ok ? ok({ ...query.value, ...named }) : query;
  }
  const isEmpty = request.body === null;
  if (isEmpty && input === "optional_body") return ok(named);
  if (!TAKEN.test(request.headers.get("content-type") ?? "")) return err(failure("CONTENT_TYPE_NOT_SUPPORTED"));
  const body = await readBody(request);
  if (!body.ok) return body;
  if (!isJsonObject(body.value)) return err(broken("", "must be object"));
  return ok({ ...body.value, ...named });
}

const NUMBERS = new Set(["historyLength", "pageSize"]);
const FLAGS = new Set(["includeArtifacts"]);

/** Members in a query are text; those that are numbers and flags are read as such. */
function queryOf(query: URLSearchParams): Result<JsonObject, A2aError> {
  const params: [string, string | number | boolean][] = [];
  for (const [name, text] of query) {
    if (NUMBERS.has(name)) {
      if (!/^(0|[1-9][0-9]{0,9})$/.test(text)) return err(broken(name, "must be int"));
      params.push([name, Number(text)]);
    } else if (FLAGS.has(name)) {
      if (text !== "true" && text !== "false") return err(broken(name, "true or false"));
      params.push([name, text === "true"]);
    } else params.push([name, text]);
  }
  return ok(Object.fromEntries(params));
}
