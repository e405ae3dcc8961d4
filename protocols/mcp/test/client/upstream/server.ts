import http from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { UpstreamOAuth } from "./oauth.ts";
import { UpstreamShop } from "./shop.ts";
import { shopTools, type ToolSwitches } from "./tools.ts";

/** What happens to one request, named by its method and tool, when its turn comes; it happens once. */
export type Fault =
  /** The connection ends before anything is done. */
  | "before"
  /** It is done, and the connection ends before a byte of the answer. */
  | "after"
  /** It is done, and the answer ends in the middle. */
  | "middle"
  /** It is done, and the answer is no message at all. */
  | "garbage"
  /** It is done, and the answer is an error of the server's. */
  | "status_500"
  /** It is done, and the answer is a stream of events. */
  | "stream"
  /** It is done, and the answer asks for input. */
  | "input_required"
  /** It is done, and the answer says that it failed, in words that nobody described. */
  | "odd_error"
  /** It is done, and the answer says that nobody is signed in. */
  | "status_401"
  /** It is not done, and the answer says so in words that the operator described. */
  | "sold_out";

export interface Seen {
  readonly method: string;
  readonly tool: string;
  /** Head and body, as they came. */
  readonly raw: string;
}

export interface Upstream {
  readonly origin: string;
  readonly shop: UpstreamShop;
  readonly oauth: UpstreamOAuth;
  readonly switches: ToolSwitches;
  readonly seen: Seen[];
  /** Waits for the next request of this method (and tool) and then happens to it. */
  fault(method: string, fault: Fault): void;
  /** Speaks the older revision alone. */
  legacy: boolean;
  /** Scopes that a tool needs; a token without them gets a challenge. */
  readonly needs: Map<string, string>;
  close(): Promise<void>;
}

/** A real MCP server on loopback: a shop's tools behind its own authorization server, with faults that can be switched on. */
export async function startUpstream(): Promise<Upstream> {
  const shop = new UpstreamShop();
  const switches: ToolSwitches = { note: "", lies: false, textOnly: false };
  const seen: Seen[] = [];
  const faults: { readonly method: string; readonly fault: Fault }[] = [];
  const needs = new Map<string, string>();
  const handler = createMcpHandler(() => shopTools(shop, switches), { legacy: "stateless", responseMode: "json" });
  const listener = http.createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const oauth = new UpstreamOAuth(origin, `${origin}/mcp`);
  const upstream: Upstream = {
    origin,
    shop,
    oauth,
    switches,
    seen,
    legacy: false,
    needs,
    fault: (method, fault) => void faults.push({ method, fault }),
    async close() {
      await handler.close();
      listener.closeAllConnections();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };

  async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString("utf8");
    const web = new Request(new URL(request.url ?? "/", origin), {
      method: request.method ?? "GET",
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(body === "" ? {} : { body }),
    });
    const message = request.url === "/mcp" && body !== "" ? (JSON.parse(body) as Message) : {};
    const tool = message.method === "tools/call" ? (message.params?.name ?? "") : "";
    const method = `${message.method ?? request.url ?? ""}${tool === "" ? "" : `:${tool}`}`;
    seen.push({ method, tool, raw: `${request.rawHeaders.join("\n")}\n${request.url}\n${body}` });
    const at = faults.findIndex((one) => one.method === method);
    const [hit] = at === -1 ? [] : faults.splice(at, 1);
    if (hit?.fault === "before") return void response.destroy();
    if (hit?.fault === "sold_out")
      return void answerWith(response, message, {
        resultType: "complete",
        isError: true,
        content: [{ type: "text", text: '{"code":"sold_out"}' }],
      });
    const answer = (await oauth.answer(web)) ?? (await mcp(web, message, tool));
    const text = await answer.text();
    const headers = Object.fromEntries(answer.headers);
    switch (hit?.fault) {
      case "after":
        return void response.destroy();
      case "middle":
        response.writeHead(answer.status, { ...headers, "content-length": String(Buffer.byteLength(text)) });
        response.write(text.slice(0, text.length / 2));
        return void setTimeout(() => response.destroy(), 5);
      case "garbage":
        return void response.writeHead(200, { "content-type": "application/json" }).end("<html>sorry</html>");
      case "status_500":
        return void response.writeHead(500).end("sorry");
      case "status_401":
        return void response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end();
      case "stream":
        return void response
          .writeHead(200, { "content-type": "text/event-stream" })
          // The older revision streams by itself.
          .end(`: hello\n\n${text.startsWith("{") ? `event: message\ndata: ${text}\n\n` : text}`);
      case "input_required":
        return void answerWith(response, message, { resultType: "input_required", requestState: "x" });
      case "odd_error":
        return void answerWith(response, message, {
          resultType: "complete",
          isError: true,
          content: [{ type: "text", text: '{"code":"try_later"}' }],
        });
      default:
        response.writeHead(answer.status, headers).end(text);
    }
  }

  async function mcp(web: Request, message: Message, tool: string): Promise<Response> {
    if (new URL(web.url).pathname !== "/mcp") return new Response("nothing here", { status: 404 });
    const challenge = (more: string) =>
      `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"${more}`;
    const scopes = oauth.scopesOf((web.headers.get("authorization") ?? "").replace("Bearer ", ""));
    if (scopes === undefined)
      return new Response(null, { status: 401, headers: { "www-authenticate": challenge(', scope="shop"') } });
    const needed = needs.get(tool);
    if (needed !== undefined && !scopes.includes(needed))
      return new Response(null, {
        status: 403,
        headers: { "www-authenticate": challenge(`, error="insufficient_scope", scope="${needed}"`) },
      });
    if (upstream.legacy && web.headers.get("mcp-protocol-version") === "2026-07-28")
      return Response.json(
        { jsonrpc: "2.0", id: message.id ?? null, error: { code: -32000, message: "Bad Request" } },
        { status: 400 },
      );
    return handler.fetch(web);
  }
  return upstream;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

function answerWith(response: http.ServerResponse, message: Message, result: object): void {
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
}
