import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { assert } from "@countersign/wire";
import { isHopByHop } from "../door/headers.ts";
import { PROXY_CONNECT_MS, PROXY_REFUSED_HOSTS_MAX } from "../limits.ts";
import { type AllowList, type Place, parseAbsolute, parseAuthority, placeKey } from "./allow.ts";
import type { PinnedAddress, Resolve } from "./resolve.ts";

export interface ForwardProxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** How often each host was refused. */
  refused(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly allow: AllowList;
  readonly resolve: Resolve;
  onRefused(host: string): void;
}

/**
 * The allow-list of one context: it has a listener of its own, so no credential is needed to tell contexts apart
 * (Playwright's way of answering a proxy's challenge does not reach workers). Bound to loopback. A program on the same
 * machine could come in too, and would reach the destination without any session.
 */
export async function startProxy(options: ProxyOptions): Promise<ForwardProxy> {
  const refused = new Map<string, number>();
  const sockets = new Set<Duplex>();
  const refuse = (host: string) => {
    if (refused.has(host) || refused.size < PROXY_REFUSED_HOSTS_MAX) refused.set(host, (refused.get(host) ?? 0) + 1);
    options.onRefused(host);
  };
  const pin = async (place: Place | undefined): Promise<PinnedAddress | undefined> => {
    if (!place || !options.allow.has(placeKey(place))) {
      refuse(place?.host ?? "unreadable");
      return undefined;
    }
    const found = await options.resolve(place.host, place.port);
    if (!found.ok) refuse(place.host);
    return found.ok ? found.value : undefined;
  };
  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };

  const server = createServer((incoming, response) => {
    forward(incoming, response, pin).catch(() => response.destroy());
  });
  server.on("connection", keep);
  server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnel(incoming, socket, head, pin, keep).catch(() => socket.destroy());
  });
  server.on("upgrade", (_incoming, socket) => socket.destroy());
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const address: AddressInfo | string | null = server.address();
  assert(typeof address === "object" && address, "proxy: no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    refused: () => refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Pin = (place: Place | undefined) => Promise<PinnedAddress | undefined>;

async function tunnel(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  pin: Pin,
  keep: (socket: Socket) => Socket,
): Promise<void> {
  const place = parseAuthority(incoming.url ?? "");
  const pinned = await pin(place);
  if (!place || !pinned) {
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  const upstream = keep(connect({ host: pinned.address, port: place.port, family: pinned.family }));
  upstream.setTimeout(PROXY_CONNECT_MS, () => upstream.destroy());
  upstream.once("connect", () => {
    upstream.setTimeout(0);
    upstream.setNoDelay(true);
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.once("close", () => socket.destroy());
  socket.once("close", () => upstream.destroy());
}

async function forward(incoming: IncomingMessage, response: ServerResponse, pin: Pin): Promise<void> {
  const target = parseAbsolute(incoming.url ?? "");
  const pinned = await pin(target?.place);
  if (!target || !pinned) {
    response.writeHead(403, { "content-type": "text/plain" }).end("Not one of this site's addresses.");
    return;
  }
  const upstream = request({
    host: pinned.address,
    family: pinned.family,
    port: target.place.port,
    path: target.path,
    method: incoming.method,
    headers: endToEnd(incoming.rawHeaders),
    setHost: false,
    agent: false,
  });
  upstream.setTimeout(PROXY_CONNECT_MS * 4, () => upstream.destroy());
  upstream.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
    answer.once("error", () => response.destroy());
    answer.pipe(response);
  });
  upstream.once("error", () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  response.once("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

/** Flat name, value, name, value, as Node takes it: repeated headers and their spelling stay as they were. */
function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name, value] = [raw[i] ?? "", raw[i + 1] ?? ""];
    if (!isHopByHop(name)) kept.push(name, value);
  }
  return kept;
}
