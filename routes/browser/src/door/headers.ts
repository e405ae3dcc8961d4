import type { Answer, HeldRequest } from "@countersign/plugin";
import { secret } from "@countersign/wire";

/** What the interception event tells of a request, and who asked for it. */
export interface Intercepted {
  readonly url: string;
  /** CDP `Network.ResourceType`. */
  readonly resourceType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The page's own origin, used where the request names none (`Referrer-Policy: no-referrer`). */
  readonly pageOrigin: string | undefined;
  /** Whether the answer stands in the page itself or in a frame of it. */
  readonly frame: "top" | "inner";
  readonly acceptLanguage: string;
}

/** Connection-bound (RFC 9110 section 7.6.1), or made anew by whoever sends or answers. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name.toLowerCase());
}

/**
 * The headers of a held request, names in lower case. Chromium adds some below the interception; without them a site
 * that checks fetch metadata refuses, so they are made here. `identity`, so that the answer can be handed on as it is.
 */
export function heldHeaders(request: Intercepted): HeldRequest["headers"] {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(request.headers)) {
    const lower = name.toLowerCase();
    if (!isHopByHop(lower) && lower !== "host" && lower !== "content-length") headers.set(lower, value);
  }
  const added = { ...fetchMetadata(request, headers), "accept-language": request.acceptLanguage };
  for (const [name, value] of Object.entries(added)) if (!headers.has(name)) headers.set(name, value);
  headers.set("accept-encoding", "identity");
  return [...headers].map(([name, value]) => [name, secret(value)] as const);
}

function fetchMetadata(request: Intercepted, headers: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const site = siteOf(new URL(request.url), initiator(request, headers));
  if (request.resourceType === "Document") {
    return {
      "sec-fetch-site": site,
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": request.frame === "inner" ? "iframe" : "document",
      "sec-fetch-user": "?1",
    };
  }
  const mode = request.resourceType === "XHR" || request.resourceType === "Fetch" ? "cors" : "no-cors";
  return { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": "empty" };
}

function initiator(request: Intercepted, headers: ReadonlyMap<string, string>): URL | undefined {
  const named = [headers.get("origin"), headers.get("referer"), request.pageOrigin];
  const text = named.find((each) => each !== undefined && each !== "null" && URL.canParse(each));
  return text === undefined ? undefined : new URL(text);
}

/** Without a list of public suffixes, only a host and its own subdomains are known to be one site. */
function siteOf(target: URL, from: URL | undefined): string {
  if (!from) return "cross-site";
  if (from.origin === target.origin) return "same-origin";
  const [a, b] = [from.hostname, target.hostname];
  const related = a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
  return related && from.protocol === target.protocol ? "same-site" : "cross-site";
}

/**
 * The answer as the page may have it: each `Set-Cookie` stays an entry of its own; lengths and encodings belong to the
 * connection the gateway had, and the body is plain.
 */
export function answerHeaders(answer: Answer): { name: string; value: string }[] {
  return answer.headers
    .filter(([name]) => !isHopByHop(name) && !/^content-(?:encoding|length)$/i.test(name))
    .map(([name, value]) => ({ name, value }));
}
