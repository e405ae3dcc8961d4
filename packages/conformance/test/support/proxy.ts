import http from "node:http";
import type { AddressInfo } from "node:net";
import { assert, isJsonObject, type JsonObject, parseJson } from "@countersign/wire";

/** A request on its way to the gateway. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  /** Lower case; without `host`, which is the gateway's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** Does something wrong with a request or its answer; `pass` is the honest way. */
export type Meddle = (request: Seen, pass: (request: Seen) => Promise<Reply>) => Promise<Reply>;

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host"]);

/** A gateway that does one thing wrong: the real one, with a man in the middle. */
export async function openProxy(upstream: string, meddle: Meddle): Promise<{ origin: string; close(): Promise<void> }> {
  const pass = (request: Seen) => forward(upstream, request);
  const server = http.createServer((incoming, outgoing) => {
    void read(incoming)
      .then((request) => meddle(request, pass))
      .catch(() => ({ status: 502, headers: {}, text: "" }) satisfies Reply)
      .then((reply) => {
        for (const [name, value] of Object.entries(reply.headers)) outgoing.setHeader(name, value);
        outgoing.writeHead(reply.status).end(reply.text);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(incoming: http.IncomingMessage): Promise<Seen> {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    if (!HOP_BY_HOP.has(name) && typeof value === "string") headers[name] = value;
  return {
    method: incoming.method ?? "GET",
    path: incoming.url ?? "/",
    headers,
    text: Buffer.concat(parts).toString("utf8"),
  };
}

function forward(upstream: string, { method, path, headers, text }: Seen): Promise<Reply> {
  const url = new URL(upstream);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: "127.0.0.1", port: url.port, method, path, agent: false, headers: { ...headers, host: url.host } },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const kept: Record<string, string | readonly string[]> = {};
          for (const [name, value] of Object.entries(response.headers))
            if (!HOP_BY_HOP.has(name) && value !== undefined) kept[name] = value;
          resolve({ status: response.statusCode ?? 0, headers: kept, text: Buffer.concat(parts).toString("utf8") });
        });
      },
    );
    request.on("error", reject);
    request.end(text === "" ? undefined : text);
  });
}

export function jsonOf(of: { readonly text: string }): JsonObject {
  const parsed = parseJson(of.text, { maxBytes: 8 * 1024 * 1024 });
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
}

export function withJson<T extends { readonly text: string }>(of: T, change: (json: JsonObject) => JsonObject): T {
  return { ...of, text: JSON.stringify(change(jsonOf(of))) };
}

/** An answer of the proxy's own. */
export function answer(status: number, body: JsonObject): Reply {
  return { status, headers: { "content-type": "application/json" }, text: JSON.stringify(body) };
}

export function problem(status: number, reason: string): Reply {
  const headers = { "content-type": "application/problem+json; charset=utf-8" };
  return { status, headers, text: JSON.stringify({ type: "about:blank", title: reason, status, reason }) };
}

export function stringOf(value: JsonObject[string] | undefined): string {
  assert(typeof value === "string", "a text stands here");
  return value;
}
