import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { retailOrdersList } from "@countersign/profile";
import { assert } from "@countersign/wire";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

export interface BareServer {
  readonly url: string;
  close(): Promise<void>;
}

/** One tool, at its barest: the same library and shapes, the shop's own API, no person, no grant, no record. */
export async function openBareServer(shop: string, token: string): Promise<BareServer> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "bare", version: "1" });
      server.registerTool(
        "retail_orders_list",
        {
          title: retailOrdersList.title,
          inputSchema: z.strictObject({
            account_ref: z.string(),
            consent_ref: z.string(),
            parameters: retailOrdersList.parameters,
          }),
          outputSchema: z.strictObject({ orders: z.array(z.json()) }),
          annotations: { readOnlyHint: true },
        },
        async () => {
          const answer = await fetch(`${shop}/api/v1/orders`, { headers: { authorization: `Bearer ${token}` } });
          const { orders } = (await answer.json()) as { orders: never[] };
          const structuredContent = { orders };
          return { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
        },
      );
      return server;
    },
    { legacy: "stateless" },
  );
  const server = http.createServer((request, response) => {
    void serve(handler.fetch, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  return {
    url: `http://localhost:${address.port}/mcp`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(
  handle: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers.set(name, value);
  const { method = "GET", url = "/" } = request;
  const body = parts.length === 0 ? null : Buffer.concat(parts);
  const answer = await handle(new Request(`http://${request.headers.host}${url}`, { method, headers, body }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}
