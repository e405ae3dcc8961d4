import type { IncomingMessage } from "node:http";

const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Raw header lists keep repeated headers (`Set-Cookie`) and their order. */
export function withoutHopByHop(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? "";
    if (!hopByHop.has(name.toLowerCase())) kept.push(name, raw[at + 1] ?? "");
  }
  return kept;
}

/** A raw list without those names, which are in lower case. */
export function without(names: readonly string[], raw: readonly string[]): string[] {
  return raw.filter((_, at) => !names.includes((raw[at - (at % 2)] ?? "").toLowerCase()));
}

/** What a browser opens, as against what a page asks for. */
export function isPage({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && (headers.accept ?? "").startsWith("text/html");
}

/** What the shop is sent: its own `Host`, the address it is told, and the body's true length. */
export function forwardedHeaders(raw: readonly string[], address: string | undefined, bodyBytes: number): string[] {
  const kept = withoutHopByHop(raw);
  const headers: string[] = [];
  let hadBody = bodyBytes > 0;
  for (let at = 0; at + 1 < kept.length; at += 2) {
    const name = (kept[at] ?? "").toLowerCase();
    if (name === "content-length") hadBody = true;
    else if (name !== "x-forwarded-for" || address === undefined) headers.push(kept[at] ?? "", kept[at + 1] ?? "");
  }
  if (address !== undefined) headers.push("X-Forwarded-For", address);
  if (hadBody) headers.push("Content-Length", String(bodyBytes));
  return headers;
}
