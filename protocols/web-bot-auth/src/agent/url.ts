import { isLoopbackHost, parseHttpUrl } from "@countersign/wire";
import { URL_MAX_CHARS } from "../limits.ts";
import type { PlainHttp } from "../profile.ts";

const IP_LITERAL = /^(\[.*\]|[0-9.]+)$/;
const ESCAPE = /%[0-9a-f]{2}/gi;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

export type AgentUrlProblem = "scheme" | "malformed";

export type AgentUrl =
  | { readonly ok: true; readonly url: Readonly<URL> }
  | { readonly ok: false; readonly problem: AgentUrlProblem };

// A signer names itself in every request, and a verifier hears of few signers many times: what a text means does not
// change, so the last few are kept. Bounded, for whoever sends another name each time.
const KEPT_MAX = 64;
const kept = new Map<string, AgentUrl>();

/** The URL of key material that a stranger names: https at its own port, no user name, no fragment, a host with a name. */
export function agentUrl(text: string, plainHttp: PlainHttp): AgentUrl {
  const name = `${plainHttp} ${text}`;
  const before = kept.get(name);
  if (before !== undefined) return before;
  const read = readAgentUrl(text, plainHttp);
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  if (text.length <= URL_MAX_CHARS) kept.set(name, read);
  return read;
}

function readAgentUrl(text: string, plainHttp: PlainHttp): AgentUrl {
  if (text.length > URL_MAX_CHARS) return { ok: false, problem: "malformed" };
  const parsed = parseHttpUrl(text);
  if (!parsed.ok) return { ok: false, problem: "malformed" };
  const url = parsed.value;
  const local = plainHttp === "loopback" && isLoopbackHost(url.hostname);
  if (url.protocol !== "https:" && !local) return { ok: false, problem: "scheme" };
  if (text.includes("#") || url.hostname.endsWith(".")) return { ok: false, problem: "malformed" };
  // Port 443 alone: whoever verifies is not sent around the ports of other people's machines.
  if (url.port !== "" && !local) return { ok: false, problem: "malformed" };
  // Key material is attributed to a name; an address is nobody's, and the way to machines that have none.
  return IP_LITERAL.test(url.hostname) && !local ? { ok: false, problem: "malformed" } : { ok: true, url };
}

/** What a signature is attributed to: without query and fragment, normalised by syntax and scheme (RFC 3986 section 6.2). */
export function identifierOf(url: Readonly<URL>): string {
  const path = url.pathname.replace(ESCAPE, (encoded) => {
    const letter = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(letter) ? letter : encoded.toUpperCase();
  });
  return `${url.origin}${path}`;
}

/** Plain HTTP to this very machine. */
export function isLoopbackHttp(url: Readonly<URL>): boolean {
  return url.protocol === "http:" && isLoopbackHost(url.hostname);
}
