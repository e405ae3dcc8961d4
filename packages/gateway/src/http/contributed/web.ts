import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { FastifyReply, FastifyRequest } from "fastify";

/** What a plugin is never given: the token that the gateway has judged (AUT-3), and the person's session. */
const WITHHELD: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie"]);
/**
 * What a plugin's answer cannot say for this origin: our hardening stands whatever it answers, and a cookie or a
 * cleared store would be the trusted interface's.
 */
const NOT_ITS_OWN: ReadonlySet<string> = new Set([
  "set-cookie",
  "clear-site-data",
  "service-worker-allowed",
  "strict-transport-security",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "upgrade",
]);

/** The request as a plugin sees it; `signal` is aborted when the caller goes away before the answer is out. */
export function webRequest(request: FastifyRequest, reply: FastifyReply, issuer: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (WITHHELD.has(name) || value === undefined) continue;
    for (const one of [value].flat()) headers.append(name, one);
  }
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const body = request.body instanceof Uint8Array && request.body.length > 0 ? Uint8Array.from(request.body) : null;
  return new Request(`${issuer}${request.url}`, {
    method: request.method,
    headers,
    signal: gone.signal,
    ...(body === null || request.method === "GET" ? {} : { body }),
  });
}

/** Passes a plugin's answer on, under the headers that every answer of the server has. */
export function sendWebResponse(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) {
    if (!NOT_ITS_OWN.has(name) && (name === "cache-control" || !reply.hasHeader(name))) reply.header(name, value);
  }
  if (response.body === null) return reply.send();
  return reply.send(Readable.fromWeb(response.body as NodeReadableStream));
}
