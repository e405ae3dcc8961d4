import type { Json, JsonObject } from "@countersign/wire";
import { type ChosenInterface, PROTOCOL_VERSION } from "../../card/read/interfaces.ts";

/** What is asked of an agent. Two methods are enough: a message, and how a task stands. */
export type Asked =
  | { readonly method: "SendMessage"; readonly params: JsonObject }
  | { readonly method: "GetTask"; readonly taskId: string };

/** A request as it goes out, but for its token. `id` is JSON-RPC's; the answer has to bear it. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly id: string | undefined;
}

/**
 * Written by hand over the two HTTP bindings: exactly one request is held at the boundary as the bytes that leave, which
 * a client library neither shows nor promises to send once.
 */
export function wireRequest(
  chosen: ChosenInterface,
  asked: Asked,
  extensions: readonly string[],
  newId: () => string,
): WireRequest {
  const headers: Record<string, string> = {
    "a2a-version": PROTOCOL_VERSION,
    ...(extensions.length === 0 ? {} : { "a2a-extensions": extensions.join(", ") }),
  };
  return chosen.binding === "JSONRPC" ? jsonRpc(chosen, asked, headers, newId()) : httpJson(chosen, asked, headers);
}

function jsonRpc(
  { url, tenant }: ChosenInterface,
  asked: Asked,
  headers: Readonly<Record<string, string>>,
  id: string,
): WireRequest {
  const ours = asked.method === "SendMessage" ? asked.params : { id: asked.taskId, historyLength: 0 };
  const params: JsonObject = tenant === undefined ? ours : { ...ours, tenant };
  return {
    method: "POST",
    url,
    headers: { ...headers, accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, method: asked.method, params } satisfies Json),
    id,
  };
}

const MEDIA_TYPE = "application/a2a+json";

function httpJson(
  { url, tenant }: ChosenInterface,
  asked: Asked,
  headers: Readonly<Record<string, string>>,
): WireRequest {
  const accepted = { ...headers, accept: `${MEDIA_TYPE}, application/json` };
  if (asked.method === "GetTask") {
    const at = below(url, tenant, `tasks/${encodeURIComponent(asked.taskId)}`);
    at.searchParams.set("historyLength", "0");
    return { method: "GET", url: at, headers: accepted, body: undefined, id: undefined };
  }
  return {
    method: "POST",
    url: below(url, tenant, "message:send"),
    headers: { ...accepted, "content-type": MEDIA_TYPE },
    body: JSON.stringify(asked.params),
    id: undefined,
  };
}

function below(url: URL, tenant: string | undefined, path: string): URL {
  const at = new URL(url);
  at.pathname = [at.pathname.replace(/\/+$/, ""), ...(tenant === undefined ? [] : [tenant]), path].join("/");
  return at;
}
