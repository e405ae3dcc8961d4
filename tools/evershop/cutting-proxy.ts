import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { proxyBodyBytes } from "./limits.ts";
import { forwardedHeaders, isPage, without, withoutHopByHop } from "./proxy-headers.ts";

/** `method` exactly or `*`; in `path`, `*` stands for one segment. The query does not take part. */
export interface ProxyPattern {
  readonly method: string;
  readonly path: string;
  /** Stands in the body too: where one path takes everything (GraphQL). */
  readonly says?: string;
}

export interface SeenRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly body: Uint8Array;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Exchange extends SeenRequest {
  /** The shop's answer; undefined while it is outstanding, or when the request never reached the shop. */
  readonly status: number | undefined;
  readonly fate:
    | "outstanding"
    | "answered"
    | "cut_after_request"
    | "cut_before_forward"
    | "shop_unreachable"
    | "client_left";
}

export interface Cut {
  /** How many connections it has cut. */
  count(): number;
  lift(): void;
}

export interface CuttingProxy {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Where requests go from now on: the shop's origin. */
  forwardTo(origin: string): void;
  /** The address the shop is told from now on (`X-Forwarded-For`); it limits by address. */
  comeFrom(address: string): void;
  /** Forwards matching requests whole, waits for the shop's whole answer, then closes the connection without a byte. */
  cutAfterRequest(pattern: ProxyPattern): Cut;
  /** Closes the connection of matching requests; the shop never sees them. */
  cutBeforeForward(pattern: ProxyPattern): Cut;
  /** Every page and JSON answer arrives by half, and looks whole to whoever asks: no length is given. @returns how to end it. */
  halve(): () => void;
  /** Every page leads to this one, which comes as to somebody who is not signed in. @returns how to end it. */
  wall(path: string): () => void;
  /** Called with each request before it is forwarded, which waits for it. @returns how to take the hook away. */
  onRequest(hook: (seen: SeenRequest) => void | Promise<void>): () => void;
  /** What has arrived, in order; those that match when a pattern is given. */
  exchanges(pattern?: ProxyPattern): readonly Exchange[];
  /** How many matching requests have arrived, cut ones included. */
  count(pattern: ProxyPattern): number;
  /** Forgets what has arrived; cuts and hooks stay. */
  forget(): void;
  stop(): Promise<void>;
}

interface Entry extends SeenRequest {
  status: number | undefined;
  fate: Exchange["fate"];
}

interface Rule {
  readonly kind: "cut_after_request" | "cut_before_forward";
  readonly pattern: ProxyPattern;
  count: number;
}

/** A loopback reverse proxy that loses answers on demand. It never repeats a request and keeps the `Host` header. */
export async function startCuttingProxy(shopOrigin?: string): Promise<CuttingProxy> {
  let target = shopOrigin;
  let address: string | undefined;
  let entries: Entry[] = [];
  let halves = false;
  let wallPath: string | undefined;
  const rules = new Set<Rule>();
  const hooks = new Set<(seen: SeenRequest) => void | Promise<void>>();
  const sockets = new Set<Socket>();

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await readWhole(incoming);
    if (body === undefined) return void incoming.socket.destroy();
    const url = new URL(incoming.url ?? "/", "http://proxy.invalid");
    const entry: Entry = {
      method: incoming.method ?? "GET",
      path: url.pathname,
      body,
      headers: incoming.headers,
      status: undefined,
      fate: "outstanding",
    };
    entries.push(entry);
    for (const hook of hooks) await hook(entry);
    const rule = [...rules].find((its) => patternMatches(its.pattern, entry));
    if (rule?.kind === "cut_before_forward") {
      rule.count += 1;
      entry.fate = rule.kind;
      return void incoming.socket.destroy();
    }
    if (wallPath !== undefined && isPage(incoming) && entry.path !== wallPath) {
      entry.status = 302;
      entry.fate = "answered";
      return void outgoing.writeHead(302, { location: wallPath }).end();
    }
    await forward(incoming, outgoing, entry, rule);
  };

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, entry: Entry, rule: Rule | undefined) =>
    new Promise<void>((resolve) => {
      const left = halves ? ["accept-encoding"] : entry.path === wallPath ? ["cookie"] : [];
      const headers = without(left, forwardedHeaders(incoming.rawHeaders, address, entry.body.byteLength));
      const to = new URL(incoming.url ?? "/", target ?? "http://127.0.0.1:1");
      // A fresh connection for each: a kept one that the shop has closed would look like a lost request.
      const upstream = request(to, { method: entry.method, headers, agent: new Agent({ keepAlive: false }) });
      const failed = () => {
        entry.fate = "shop_unreachable";
        incoming.socket.destroy();
        resolve();
      };
      upstream.on("error", failed);
      upstream.on("response", (answer) => {
        entry.status = answer.statusCode;
        answer.on("error", failed);
        answer.on("end", () => {
          if (rule === undefined) {
            entry.fate = "answered";
          } else {
            rule.count += 1;
            entry.fate = rule.kind;
            incoming.socket.destroy();
          }
          resolve();
        });
        if (rule !== undefined) {
          answer.resume();
          return;
        }
        outgoing.on("close", () => {
          if (outgoing.writableFinished) return;
          entry.fate = "client_left";
          upstream.destroy();
          resolve();
        });
        const halved = halves && /html|json/.test(answer.headers["content-type"] ?? "");
        const dropped = [...(halved ? ["content-length"] : []), ...(entry.path === wallPath ? ["set-cookie"] : [])];
        const sent = without(dropped, withoutHopByHop(answer.rawHeaders));
        outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, sent);
        if (!halved) return void answer.pipe(outgoing);
        void readWhole(answer).then((whole) => {
          const bytes = whole ?? new Uint8Array();
          outgoing.end(bytes.slice(0, Math.floor(bytes.length / 2)));
        });
      });
      upstream.end(entry.body);
    });

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((cause: unknown) => {
      // A hook that failed is the test's own mistake: show it, and do not let the request look answered.
      process.stderr.write(`cutting proxy: ${cause instanceof Error ? cause.message : String(cause)}\n`);
      incoming.socket.destroy();
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);

  const cut = (kind: Rule["kind"], pattern: ProxyPattern): Cut => {
    const rule: Rule = { kind, pattern, count: 0 };
    rules.add(rule);
    return { count: () => rule.count, lift: () => void rules.delete(rule) };
  };
  const matching = (pattern?: ProxyPattern) =>
    entries.filter((entry) => pattern === undefined || patternMatches(pattern, entry));

  return {
    origin: `http://127.0.0.1:${port}`,
    forwardTo: (origin) => {
      target = origin;
    },
    comeFrom: (its) => {
      address = its;
    },
    cutAfterRequest: (pattern) => cut("cut_after_request", pattern),
    cutBeforeForward: (pattern) => cut("cut_before_forward", pattern),
    halve: () => {
      halves = true;
      return () => {
        halves = false;
      };
    },
    wall: (path) => {
      wallPath = path;
      return () => {
        wallPath = undefined;
      };
    },
    onRequest: (hook) => {
      hooks.add(hook);
      return () => void hooks.delete(hook);
    },
    exchanges: (pattern) => matching(pattern).map((entry) => ({ ...entry })),
    count: (pattern) => matching(pattern).length,
    forget: () => {
      entries = [];
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export function patternMatches(
  pattern: ProxyPattern,
  seen: Pick<SeenRequest, "method" | "path"> & Partial<Pick<SeenRequest, "body">>,
): boolean {
  if (pattern.method !== "*" && pattern.method !== seen.method) return false;
  if (pattern.says !== undefined && !Buffer.from(seen.body ?? []).includes(pattern.says)) return false;
  const wanted = pattern.path.split("/");
  const actual = seen.path.split("/");
  return wanted.length === actual.length && wanted.every((segment, at) => segment === "*" || segment === actual[at]);
}

/** Undefined when the client left early or sent too much. */
async function readWhole(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of incoming as AsyncIterable<Buffer>) {
      bytes += part.byteLength;
      if (bytes > proxyBodyBytes) return undefined;
      parts.push(part);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(parts);
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("a TCP server has a port");
  return bound.port;
}
