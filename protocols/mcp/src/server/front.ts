import { isJsonObject, type Json, type JsonObject, parseJson } from "@countersign/wire";
import { objectAt } from "../json.ts";
import { TASKS_EXTENSION } from "../points.ts";

/** What stands in front of the library: what it lets pass, or would answer in another way than the text says. */
export type Fronted =
  | { readonly kind: "pass"; readonly message: JsonObject }
  | { readonly kind: "answer"; readonly response: Response };

const BODY_BYTES_MAX = 64 * 1024;
const BODY_DEPTH_MAX = 20;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const HEADER_MISMATCH = -32_020;
const CAPABILITY_MISSING = -32_021;
const ENVELOPE = "io.modelcontextprotocol/";

/**
 * Judges a POST: one JSON object, without two members of one name (the library would keep the last, and somebody in
 * between the first), and for the methods of the tasks extension the header and the capability that they need.
 */
export async function judgePost(request: Request, offersTasks: boolean): Promise<Fronted> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    return refuse(415, INVALID_REQUEST, "Send application/json", null);
  const body = parseJson(new Uint8Array(await request.arrayBuffer()), {
    maxBytes: BODY_BYTES_MAX,
    maxDepth: BODY_DEPTH_MAX,
  });
  if (!body.ok) return refuse(400, PARSE_ERROR, "Parse error", null);
  // Some revisions once had batches; ours have none, and the library's older half would take one.
  if (!isJsonObject(body.value)) return refuse(400, INVALID_REQUEST, "Invalid request", null);
  const message = body.value;
  if (!offersTasks || !isTasksMethod(message["method"]) || !hasEnvelope(message)) return { kind: "pass", message };
  const id = message["id"] ?? null;
  const taskId = objectAt(message, "params")?.["taskId"];
  if (typeof taskId === "string" && request.headers.get("mcp-name") !== taskId)
    return refuse(400, HEADER_MISMATCH, "Mcp-Name and taskId differ", id);
  if (!declaresTasks(message)) {
    const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
    return refuse(400, CAPABILITY_MISSING, "This method needs the tasks extension", id, { requiredCapabilities });
  }
  return { kind: "pass", message };
}

function isTasksMethod(method: Json | undefined): boolean {
  return method === "tasks/get" || method === "tasks/update" || method === "tasks/cancel";
}

function hasEnvelope(message: JsonObject): boolean {
  const meta = objectAt(objectAt(message, "params"), "_meta");
  return meta !== undefined && Object.hasOwn(meta, `${ENVELOPE}protocolVersion`);
}

function declaresTasks(message: JsonObject): boolean {
  const meta = objectAt(objectAt(message, "params"), "_meta");
  const capabilities = objectAt(meta, `${ENVELOPE}clientCapabilities`);
  return objectAt(objectAt(capabilities, "extensions"), TASKS_EXTENSION) !== undefined;
}

function refuse(status: number, code: number, message: string, id: Json, data?: JsonObject): Fronted {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return { kind: "answer", response: Response.json({ jsonrpc: "2.0", id, error }, { status }) };
}
