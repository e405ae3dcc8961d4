import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { REASONS, type Reason } from "@countersign/profile";
import type { HeaderPairs } from "./security-headers.ts";

/** What Node's parser says of bytes that are no request: two lengths, a length and chunks, a header too long or too slow. */
const REASON_OF: ReadonlyMap<string, Reason> = new Map([["HPE_HEADER_OVERFLOW", "body_too_large"]]);

/**
 * The answer to what cannot be read as a request. Nothing of what was sent stands in it, the headers of every other
 * answer do, and the connection ends: whatever follows on it cannot be told apart from a smuggled second request.
 */
export function answerNoRequest(error: Error & { readonly code?: string }, socket: Socket, headers: HeaderPairs): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isSlow = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const reason: Reason = REASON_OF.get(error.code ?? "") ?? "invalid_request";
  const status = isSlow ? 408 : error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
  const body = JSON.stringify({
    type: `urn:countersign:reason:${reason}`,
    title: REASONS[reason].title,
    status,
    reason,
  });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    "content-type: application/problem+json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
