import { createServer, type IncomingMessage, type Server } from "node:http";

/** A request as it came, and the bytes of its content beside it: a digest is over them. */
export type Handler = (request: Request, body: Uint8Array) => Promise<Response>;

const CONTENT_MAX_BYTES = 4_096;

/** A server on this machine for one function of requests. */
export async function serve(handler: Handler): Promise<{ readonly origin: string; close(): Promise<void> }> {
  let origin = "";
  const server: Server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    const hasBody = body.length > 0 && incoming.method !== "GET" && incoming.method !== "HEAD";
    const request = new Request(`${origin}${incoming.url ?? "/"}`, {
      method: incoming.method ?? "GET",
      headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      ),
      ...(hasBody ? { body } : {}),
    });
    const answer = await handler(request, body);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on a port");
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    size += (part as Buffer).length;
    if (size > CONTENT_MAX_BYTES) break;
    parts.push(part as Buffer);
  }
  return new Uint8Array(Buffer.concat(parts));
}
