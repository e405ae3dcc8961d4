import { isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import { tokenHash } from "../ids.ts";
import { KNOWN_CALLERS_MAX } from "../limits.ts";
import { sessionToken } from "./trusted/guard.ts";

declare module "fastify" {
  interface FastifyInstance {
    callers: Callers;
  }
}

/**
 * Whose requests are counted together. Whoever has shown a session or a token that counted has a count of their own: an
 * agent that polls too much, on the same machine as the person or behind the same proxy, must never keep them from
 * revoking its grant (CON-1). Everything else is counted by address, so that nobody gets a fresh count by showing fresh
 * rubbish; and by part of the server, so that a flood at the agents' API keeps nobody from signing in.
 */
export class Callers {
  readonly #known = new Map<string, string>();
  readonly #areas: string[] = [...AREAS];

  /** Said where a credential was found to count. `who` names the person's session or the agent. */
  note(credential: string, who: string): void {
    const key = tokenHash(credential);
    this.#known.delete(key);
    this.#known.set(key, who);
    if (this.#known.size <= KNOWN_CALLERS_MAX) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** Another part of the server that is counted by itself: what a plugin serves at this path. */
  addArea(path: string): void {
    this.#areas.push(path);
  }

  whoAsks(request: FastifyRequest): string {
    const { authorization } = request.headers;
    const shown = authorization ?? sessionToken(request);
    const who = shown === undefined ? undefined : this.#known.get(tokenHash(shown));
    return who ?? `${areaOf(request.url, this.#areas)}:${networkOf(request.ip)}`;
  }
}

const AREAS = ["/v1/", "/trusted/", "/oauth/", "/.well-known/"] as const;

function areaOf(url: string, areas: readonly string[]): string {
  return areas.find((area) => url.startsWith(area)) ?? "/";
}

/** One household has a whole /64 of IPv6 addresses: whoever counts each of them counts nothing. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = "", tail = ""] = address.split("%", 1)[0]?.split("::") ?? [];
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const whole = address.includes("::")
    ? [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0"), ...last]
    : first;
  return `${whole
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
