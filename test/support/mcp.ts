import { fromKernel } from "@countersign/gateway";
import { buildProtocols, gatewayPlugin, type Plugin } from "@countersign/plugin";
import { mcpPlugin } from "@countersign/protocol-mcp";
import { assert, isJsonObject, type JsonObject } from "@countersign/wire";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Agent } from "./agent.ts";
import { readyWorld, type WorldOptions } from "./world.ts";

export type McpReady = Awaited<ReturnType<typeof mcpWorld>>;

/** A ready world with the MCP door, built as the composition root builds it, and a token for it. */
export async function mcpWorld(options: WorldOptions = {}, door: Plugin = mcpPlugin) {
  const built = buildProtocols([gatewayPlugin, door]);
  assert(built.ok, built.ok ? "" : built.problems.map((p) => p.message).join("; "));
  const { bindings = [], http = [] } = fromKernel(built.kernel);
  const ready = await readyWorld({ ...options, bindings, http });
  const url = `${ready.world.issuer}/mcp`;
  return { ...ready, url, token: await ready.agent.tokenFor(url) };
}

export interface ClientOptions {
  readonly mode?: "auto" | "legacy";
  readonly capabilities?: JsonObject;
  readonly fetch?: typeof fetch;
}

/** The protocol's own client, over real HTTP. It answers no question of the server by itself. */
export async function mcpClient(url: string, token: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: options.mode ?? "auto" },
      capabilities: (options.capabilities ?? {}) as never,
      inputRequired: { autoFulfill: false },
    },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  await client.connect(transport);
  return client;
}

export interface CallReply {
  readonly isError: boolean;
  readonly body: JsonObject;
  readonly raw: JsonObject;
}

export async function callTool(client: Client, name: string, args: JsonObject): Promise<CallReply> {
  const raw = (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as JsonObject;
  const structured = raw["structuredContent"];
  return {
    isError: raw["isError"] === true,
    body: structured !== undefined && isJsonObject(structured) ? structured : {},
    raw,
  };
}

export const MODERN = "2026-07-28";

/** One request by hand, as a client of the newer revision sends it. */
export function rawCall(
  ready: Pick<McpReady, "url" | "token">,
  message: JsonObject,
  more: {
    readonly headers?: Record<string, string>;
    readonly capabilities?: JsonObject;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Response> {
  const { params = {}, ...rest } = message;
  const given = params as JsonObject;
  const named = given["name"] ?? given["taskId"];
  return fetch(ready.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${ready.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": MODERN,
      "mcp-method": String(message["method"]),
      ...(typeof named === "string" ? { "mcp-name": named } : {}),
      ...more.headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      ...rest,
      params: {
        ...given,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": MODERN,
          "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": more.capabilities ?? {},
        },
      },
    }),
    ...(more.signal === undefined ? {} : { signal: more.signal }),
  });
}

export async function rawResult(response: Response): Promise<JsonObject> {
  const body = (await response.json()) as JsonObject;
  return (body["result"] ?? body["error"] ?? {}) as JsonObject;
}

export function orderArguments(
  ready: Pick<McpReady, "accountRef" | "consentRef" | "fulfillmentRef">,
  change: JsonObject = {},
): JsonObject {
  return {
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    idempotency_key: `key_${crypto.randomUUID()}`,
    expires_at: new Date(Date.now() + 2 * 3_600_000).toISOString(),
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: 6000,
      currency: "EUR",
      fulfillment_ref: ready.fulfillmentRef,
    },
    ...change,
  };
}

export type { Agent };
