import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { page, type WireReply } from "./reply.ts";

export interface Listening {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

function send(request: IncomingMessage, response: ServerResponse, reply: WireReply): void {
  if (reply.kind === "drop") {
    request.socket.destroy();
    return;
  }
  const answer = reply.kind === "half" ? reply.answer : reply;
  const bytes = Buffer.from(answer.body, "utf8");
  response.writeHead(answer.status, { ...answer.headers, "content-length": bytes.length });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  if (reply.kind === "half") {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.socket.destroy());
    return;
  }
  response.end(bytes);
}

/** Serves on loopback. An exception of ours becomes a plain 500 and is printed for whoever runs the shop. */
export async function listen(
  port: number,
  answer: (request: IncomingMessage) => Promise<WireReply>,
): Promise<Listening> {
  const server: Server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => {
        console.error("practice site:", error);
        return page(500, "<h1>Something went wrong on our side</h1>");
      })
      .then((reply) => send(request, response, reply));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
