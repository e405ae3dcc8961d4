import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { err, isPublicAddress, ok, type Result } from "@countersign/wire";

export type GuardProblem = "unresolvable" | "forbidden_address" | "forbidden_origin";

export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly PinnedAddress[]>;

/**
 * Decides where a connection may go (lessons U51). A host is resolved once and the address pinned; an address that is
 * not public is refused unless that exact origin was named in the configuration. There is no general "allow insecure".
 */
export interface Pinned {
  readonly hostname: string;
  readonly port: number;
  readonly origin: string;
}

export interface Guard {
  readonly pin: (url: Pinned) => Promise<Result<PinnedAddress, GuardProblem>>;
}

/** For connections that a browser asks for, where only host and port are known: named under either scheme is named. */
export async function pinHost<P extends string>(
  guard: { readonly pin: (url: Pinned) => Promise<Result<PinnedAddress, P>> },
  host: string,
  port: number,
): Promise<Result<PinnedAddress, P>> {
  const hostname = isIP(host) === 6 ? `[${host}]` : host;
  const plain = await guard.pin({ hostname, port, origin: new URL(`http://${hostname}:${port}`).origin });
  return plain.ok ? plain : guard.pin({ hostname, port, origin: new URL(`https://${hostname}:${port}`).origin });
}

export function createGuard(options: {
  readonly namedOrigins: ReadonlySet<string>;
  readonly resolve?: Resolve;
}): Guard {
  const resolve = options.resolve ?? resolveBySystem;
  return {
    async pin({ hostname, origin }) {
      const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
      const family = isIP(host);
      const found =
        family === 0 ? await resolve(host).catch(() => []) : [{ address: host, family: family === 4 ? 4 : 6 } as const];
      const [first] = found;
      if (first === undefined) return err("unresolvable");
      if (options.namedOrigins.has(origin)) return ok(first);
      // One private answer among several is a rebinding attempt or a mistake: neither is worth a connection.
      return found.every((a) => isPublicAddress(a.address)) ? ok(first) : err("forbidden_address");
    },
  };
}

async function resolveBySystem(host: string): Promise<readonly PinnedAddress[]> {
  const answers = await lookup(host, { all: true });
  return answers.map((a) => ({ address: a.address, family: a.family === 6 ? 6 : 4 }));
}
