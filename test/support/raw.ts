import { connect } from "node:net";

/** Bytes to a server, and what comes back until it closes or `forMs` is over: for what no client library would send. */
export function sendRaw(origin: string, bytes: string | readonly string[], forMs = 3_000): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => {
      for (const part of [bytes].flat()) socket.write(part);
    });
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.on("data", (part: Buffer) => {
      text += part.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
