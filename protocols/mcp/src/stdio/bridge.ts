import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { isJsonObject, type Json, type JsonObject, parseJson } from "@countersign/wire";
import { objectAt } from "../json.ts";

// For programs that speak MCP to a command's standard input and output alone: each line goes to the gateway as one
// request, and what comes back is written as lines. Nothing is understood or kept here but the revision that an
// `initialize` settled, and which requests are open, so that a cancelled one is waited for no longer.

const LINE_BYTES_MAX = 64 * 1024;
const EVENT_CHARS_MAX = 8 * 1024 * 1024;
const INTERNAL = -32_603;
const PARSE_ERROR = -32_700;

/** Why the gateway could not be asked, in words for the person whose program it is. */
export class NotAsked extends Error {
  override readonly name = "NotAsked";
}

export interface BridgeParts {
  readonly input: Readable;
  readonly output: Writable;
  /** Sends one message to the gateway's endpoint with a token. @throws NotAsked */
  post(body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>;
}

/** Runs until the input ends; what is open then is let go, and no task with it. */
export async function bridgeStdio(parts: BridgeParts): Promise<void> {
  const open = new Map<Json, AbortController>();
  const settled: { version?: string } = {};
  const running = new Set<Promise<void>>();
  const lines = createInterface({ input: parts.input, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const parsed = parseJson(line, { maxBytes: LINE_BYTES_MAX });
    if (!parsed.ok || !isJsonObject(parsed.value)) {
      write(parts.output, { jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message: "Parse error" } });
      continue;
    }
    const message = parsed.value;
    const withdrawn =
      message["method"] === "notifications/cancelled" ? objectAt(message, "params")?.["requestId"] : undefined;
    if (withdrawn !== undefined) open.get(withdrawn)?.abort();
    const one = pass(parts, message, { open, settled });
    running.add(one);
    void one.finally(() => running.delete(one));
  }
  for (const controller of open.values()) controller.abort();
  await Promise.all(running);
}

async function pass(
  parts: BridgeParts,
  message: JsonObject,
  state: { readonly open: Map<Json, AbortController>; readonly settled: { version?: string } },
): Promise<void> {
  const { id } = message;
  const controller = new AbortController();
  if (id !== undefined) state.open.set(id, controller);
  try {
    const response = await parts.post(
      JSON.stringify(message),
      headersOf(message, state.settled.version),
      controller.signal,
    );
    for await (const answer of messagesOf(response)) {
      if (message["method"] === "initialize") {
        const version = objectAt(answer, "result")?.["protocolVersion"];
        if (typeof version === "string") state.settled.version = version;
      }
      write(parts.output, answer);
    }
  } catch (error) {
    // A request that was withdrawn is answered by nobody (specification of the older revisions).
    if (id === undefined || controller.signal.aborted) return;
    const why = error instanceof NotAsked ? error.message : "The gateway does not answer; is it running?";
    write(parts.output, { jsonrpc: "2.0", id, error: { code: INTERNAL, message: why } });
  } finally {
    if (id !== undefined) state.open.delete(id);
  }
}

/** What Streamable HTTP wants said in headers too, from the message itself. */
function headersOf(message: JsonObject, settled: string | undefined): Readonly<Record<string, string>> {
  const params = objectAt(message, "params");
  const version = objectAt(params, "_meta")?.["io.modelcontextprotocol/protocolVersion"] ?? settled;
  const named = params?.["name"] ?? params?.["taskId"] ?? params?.["uri"];
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(typeof version === "string" ? { "mcp-protocol-version": version } : {}),
    ...(typeof message["method"] === "string" ? { "mcp-method": headerText(message["method"]) } : {}),
    ...(typeof named === "string" ? { "mcp-name": headerText(named) } : {}),
  };
}

function headerText(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?")
    ? text
    : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

async function* messagesOf(response: Response): AsyncGenerator<JsonObject> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || response.status === 202) return;
  if (type.startsWith("application/json")) {
    yield* one(await response.text());
    return;
  }
  if (!type.startsWith("text/event-stream"))
    throw new NotAsked(`The gateway refused the request (${response.status}).`);
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    if (rest.length > EVENT_CHARS_MAX) throw new NotAsked("The gateway's answer was too long.");
    const events = rest.split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) yield* one(dataOf(event));
  }
}

function dataOf(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n");
}

function* one(text: string): Generator<JsonObject> {
  const parsed = parseJson(text, { maxBytes: EVENT_CHARS_MAX });
  if (parsed.ok && isJsonObject(parsed.value)) yield parsed.value;
}

function write(output: Writable, message: JsonObject): void {
  output.write(`${JSON.stringify(message)}\n`);
}
