import type { Answer } from "@countersign/plugin";
import { isJsonObject, type Json, type JsonObject, parseJson } from "@countersign/wire";
import { EVENTS_MAX, JSON_DEPTH_MAX } from "./limits.ts";

/** The one answer to a request that a server's bytes hold; `none` for everything that is not exactly that. */
export type RpcAnswer =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "error"; readonly code: number }
  | { readonly kind: "none" };

const NONE: RpcAnswer = { kind: "none" };

/**
 * Reads an answer, JSON or a stream of events, from its bytes alone: the same for a call that the library made and for
 * one that the gateway sent. Strict: what two readers could read differently is read by none.
 */
export function readRpcAnswer(answer: Answer, maxBytes: number): RpcAnswer {
  if (answer.status < 200 || answer.status > 299) return NONE;
  const type = (headerOf(answer, "content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") return answerIn([strict(answer.body, maxBytes)]);
  if (type !== "text/event-stream" || answer.body.length > maxBytes) return NONE;
  const events = eventsOf(answer.body);
  return events === undefined ? NONE : answerIn(events.map((data) => strict(data, maxBytes)));
}

export function headerOf(answer: Pick<Answer, "headers">, name: string): string | undefined {
  return answer.headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** The answer among messages that may also hold notifications; a message that cannot be read makes it none. */
function answerIn(messages: readonly (Json | undefined)[]): RpcAnswer {
  let found: RpcAnswer = NONE;
  for (const message of messages) {
    if (message === undefined || !isJsonObject(message) || message["jsonrpc"] !== "2.0") return NONE;
    if ("method" in message) continue;
    // Two answers to one request: nobody can say which of them holds.
    if (found !== NONE) return NONE;
    found = answerOf(message);
  }
  return found;
}

function answerOf({ result, error }: JsonObject): RpcAnswer {
  if (result !== undefined && error === undefined && isJsonObject(result)) return { kind: "result", result };
  if (error === undefined || result !== undefined || !isJsonObject(error)) return NONE;
  return typeof error["code"] === "number" ? { kind: "error", code: error["code"] } : NONE;
}

function strict(input: Uint8Array | string, maxBytes: number): Json | undefined {
  const parsed = parseJson(input, { maxBytes, maxDepth: JSON_DEPTH_MAX });
  return parsed.ok ? parsed.value : undefined;
}

/** The data of each `message` event; undefined when it is no stream of events within the limits. */
export function eventsOf(bytes: Uint8Array): readonly string[] | undefined {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const events: string[] = [];
  let data: string[] = [];
  let type = "";
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === "") {
      if (data.length > 0 && (type === "" || type === "message") && data.join("") !== "") events.push(data.join("\n"));
      [data, type] = [[], ""];
      if (events.length > EVENTS_MAX) return undefined;
      continue;
    }
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") type = value;
  }
  return events;
}
