import net from "node:net";
import { assert } from "@countersign/wire";

/** Where the next connection breaks. Bytes are counted from its beginning. */
export type Cut =
  | { readonly at: "connect" }
  | { readonly at: "request"; readonly bytes: number }
  /** The whole request has gone on, and so much of the answer comes back; -1: all but the last byte. */
  | { readonly at: "answer"; readonly bytes: number };

export interface CuttingProxy {
  readonly origin: string;
  /** Each connection takes one; without any left they live. */
  readonly cuts: Cut[];
  /** Connections that were cut so far. */
  cut: number;
  /** Breaks every connection that there is. */
  breakAll(): void;
  close(): Promise<void>;
}

/** A line between a client and a gateway that breaks where a test says. */
export async function openCuttingProxy(issuer: string): Promise<CuttingProxy> {
  const gateway = new URL(issuer);
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const cut = made.cuts.shift();
    open.add(client);
    client.on("close", () => open.delete(client));
    client.on("error", () => {});
    const breakHere = () => {
      made.cut += 1;
      client.resetAndDestroy();
      upstream?.destroy();
    };
    let upstream: net.Socket | undefined;
    if (cut?.at === "connect") return breakHere();
    upstream = net.connect(Number(gateway.port), "127.0.0.1");
    upstream.on("error", () => client.destroy());
    upstream.on("close", () => client.end());
    client.on("close", () => upstream?.destroy());
    const own = new URL(made.origin).host;
    let sent = 0;
    client.on("data", (chunk: Buffer) => {
      const left = cut?.at === "request" ? cut.bytes - sent : Number.POSITIVE_INFINITY;
      const part = chunk.subarray(0, left);
      sent += part.length;
      // The gateway answers to its own name alone.
      const named = Buffer.from(part.toString("latin1").replace(own, gateway.host), "latin1");
      upstream?.write(named, () => {
        if (cut?.at === "request" && sent >= cut.bytes) breakHere();
      });
    });
    let came = 0;
    upstream.on("data", (chunk: Buffer) => {
      if (cut?.at !== "answer") return void client.write(chunk);
      const part = cut.bytes < 0 ? chunk.subarray(0, -1) : chunk.subarray(0, Math.max(0, cut.bytes - came));
      came += chunk.length;
      if (cut.bytes >= 0 && came < cut.bytes) return void client.write(part);
      client.write(part, breakHere);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const made: CuttingProxy = {
    origin: `http://localhost:${address.port}`,
    cuts: [],
    cut: 0,
    breakAll() {
      for (const socket of open) socket.resetAndDestroy();
    },
    close: () =>
      new Promise((resolve) => {
        made.breakAll();
        server.close(() => resolve());
      }),
  };
  return made;
}
