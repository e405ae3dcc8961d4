import { createGuard, type Guard } from "../egress/guard.ts";
import type { KnownClient } from "./clients.ts";

/** What the operator says about clients. */
export interface OAuthSetting {
  /** Clients that have no metadata document. */
  readonly clients?: readonly KnownClient[];
  /**
   * Clients whose id is the address of a document about themselves: taken over https (the default), also over plain
   * http from this very machine (for development), or not at all.
   */
  readonly documents?: "https" | "loopback_too" | "off";
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Documents come from public addresses; where the operator says so, from this machine too, and from nowhere between. */
export function documentGuard(setting: OAuthSetting | undefined): Guard {
  const guard = createGuard({ namedOrigins: new Set() });
  if (setting?.documents !== "loopback_too") return guard;
  return {
    pin: (url) =>
      LOOPBACK.has(url.hostname) ? createGuard({ namedOrigins: new Set([url.origin]) }).pin(url) : guard.pin(url),
  };
}
