import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * A server that closes waits for its connections, and counts one on which nothing was ever asked as busy until its time
 * for headers is over. Clients open such connections ahead, and anybody can; they end with the server.
 */
export function endUnusedOnClose(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let closing = false;
  app.server.on("connection", (socket) => {
    if (closing) return void socket.destroy();
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }) => unused.delete(socket));
  app.addHook("preClose", async () => {
    closing = true;
    for (const socket of unused) socket.destroy();
  });
}
