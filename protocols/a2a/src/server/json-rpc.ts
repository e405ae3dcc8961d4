import { err, isJsonObject, type Json, type JsonObject, ok, type Result } from "@countersign/wire";
import { type A2aError, failure, rpcError } from "../wire/errors.ts";
import { readBody } from "./body.ts";
import type { Call } from "./call.ts";
import { isOperationName, OPERATIONS, type OperationName, STREAMS } from "./operations.ts";
import { sse } from "./sse.ts";

interface RpcRequest {
  readonly id: Json;
  readonly method: OperationName;
  readonly params: JsonObject;
}

const MEDIA_TYPE = /^application\/json\s*(;|$)/i;

/**
 * JSON-RPC 2.0: one request, no batches and no notifications (an answer that nobody reads would begin tasks unseen).
 * Errors are answers of the method, so their HTTP status is 200.
 */
export async function serveJsonRpc(
  request: Request,
  begin: () => Result<Call, A2aError>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const answer = (body: JsonObject) => Response.json(body, { headers: { ...headers, "cache-control": "no-store" } });
  if (!MEDIA_TYPE.test(request.headers.get("content-type") ?? ""))
    return answer(rpcError(null, failure("CONTENT_TYPE_NOT_SUPPORTED")));
  const body = await readBody(request);
  if (!body.ok) return answer(rpcError(null, body.reason));
  const read = readRpc(body.value);
  if (!read.ok) return answer(rpcError(idOf(body.value), read.reason));
  const { id, method, params } = read.value;
  const begun = begin();
  if (!begun.ok) return answer(rpcError(id, begun.reason));
  const call = begun.value;
  try {
    if (method in STREAMS) {
      const stream = await STREAMS[method as keyof typeof STREAMS](call, params);
      if (!stream.ok) return answer(rpcError(id, stream.reason));
      return sse(stream.value, (result) => ({ jsonrpc: "2.0", id, result }), { headers, log: call.host.log });
    }
    const done = await OPERATIONS[method as keyof typeof OPERATIONS](call, params);
    if (!done.ok) return answer(rpcError(id, done.reason));
    return answer({ jsonrpc: "2.0", id, result: method === "DeleteTaskPushNotificationConfig" ? null : done.value });
  } catch (error) {
    call.host.log.error("a2a.failed", { method, kind: error instanceof Error ? error.name : "unknown" });
    return answer(rpcError(id, failure("INTERNAL")));
  }
}

function readRpc(value: Json): Result<RpcRequest, A2aError> {
  if (!isJsonObject(value)) return err(failure("INVALID_REQUEST"));
  const { jsonrpc, method, params = {} } = value;
  const id = idOf(value);
  if (jsonrpc !== "2.0" || typeof method !== "string" || id === null) return err(failure("INVALID_REQUEST"));
  if (!isOperationName(method)) return err(failure("METHOD_NOT_FOUND"));
  if (!isJsonObject(params)) return err(failure("INVALID_PARAMS"));
  return ok({ id, method, params });
}

const ID_CHARS_MAX = 256;

/** A text or a whole number; null for whatever else stands there. */
function idOf(value: Json): Json {
  const id = isJsonObject(value) ? value["id"] : undefined;
  if (typeof id === "string" && id.length <= ID_CHARS_MAX) return id;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}
