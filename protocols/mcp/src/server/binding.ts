import type { BindingHost, Caller, OpenBinding } from "@countersign/gateway";
import { GATEWAY_ORIGIN, type HttpEntry, type PluginStore } from "@countersign/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { createMcpHandler, type McpRequestContext, type McpServer } from "@modelcontextprotocol/server";
import { objectAt } from "../json.ts";
import { TASKS_EXTENSION } from "../points.ts";
import { MCP_PATH } from "../versions.ts";
import type { Call } from "./call.ts";
import { judgePost } from "./front.ts";
import { serverFor } from "./server.ts";

// The MCP door. Each request stands by itself: a fresh server, the caller that the gateway has judged, the grants as
// they are now. Nothing is kept between requests but tasks, and those are the gateway's.

const SUBSCRIPTIONS_MAX = 64;

/** What is handed to the library beside the request; it passes it on to the factory untouched. */
interface Handed {
  readonly caller: Caller;
  readonly store: PluginStore;
  readonly message: JsonObject;
}

export function openMcp(host: BindingHost, extensions: Readonly<Record<string, JsonObject>>): OpenBinding {
  return serveMcp(host, extensions, serverFor);
}

/** The serving stack with whatever server is made for a request: the gateway's own, or the official suite's fixtures. */
export function serveMcp(
  host: BindingHost,
  extensions: Readonly<Record<string, JsonObject>>,
  serverOf: (call: Call) => McpServer | Promise<McpServer>,
): OpenBinding {
  const handler = createMcpHandler((context) => serverOf(callOf(host, extensions, context)), {
    legacy: "stateless",
    maxSubscriptions: SUBSCRIPTIONS_MAX,
    onerror: (error) => host.log.debug("mcp.refused", { kind: error.name }),
  });
  const offersTasks = Object.hasOwn(extensions, TASKS_EXTENSION);

  const serve: HttpEntry["handler"] = async (request, ctx) => {
    const caller = host.callerOf(request);
    assert(caller !== undefined, "the gateway has judged who calls");
    if (request.method !== "POST") return handler.fetch(request);
    const fronted = await judgePost(request, offersTasks);
    if (fronted.kind === "answer") return fronted.response;
    const { message } = fronted;
    const handed: Handed = { caller, store: ctx.store, message };
    // The body has been read; the library is given what was read, and no token.
    const bodiless = new Request(request.url, { method: "POST", headers: request.headers, signal: request.signal });
    const authInfo = { token: "", clientId: caller.clientId, scopes: [], extra: { handed } };
    return handler.fetch(bodiless, { authInfo, parsedBody: message });
  };
  const entry = (method: string): HttpEntry => ({
    origin: GATEWAY_ORIGIN,
    method,
    path: MCP_PATH,
    auth: "agent",
    handler: serve,
  });
  return { entries: ["POST", "GET", "DELETE"].map(entry), close: () => handler.close() };
}

function callOf(host: BindingHost, extensions: Readonly<Record<string, JsonObject>>, context: McpRequestContext): Call {
  const handed = context.authInfo?.extra?.["handed"] as Handed | undefined;
  assert(handed !== undefined, "a request comes through our own front");
  const { caller, store, message } = handed;
  return {
    host,
    caller,
    store,
    era: context.era,
    extensions,
    method: String(message["method"]),
    params: objectAt(message, "params") ?? {},
  };
}
