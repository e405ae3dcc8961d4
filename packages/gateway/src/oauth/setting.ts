import { publicGuard } from "../egress/allowed.ts";
import type { Guard } from "../egress/guard.ts";
import type { KnownClient } from "./clients.ts";
import type { OutsideIssuerSetting } from "./outside/setting.ts";

/** What the operator says about clients. */
export interface OAuthSetting {
  /** Clients that have no metadata document. */
  readonly clients?: readonly KnownClient[];
  /**
   * Clients whose id is the address of a document about themselves: taken over https (the default), also over plain
   * http from this very machine (for development), or not at all.
   */
  readonly documents?: "https" | "loopback_too" | "off";
  /** The operator's own authorization server, in place of ours: then no client asks here and no token is made here. */
  readonly outside?: OutsideIssuerSetting;
}

/** Documents come from public addresses; where the operator says so, from this machine too, and from nowhere between. */
export function documentGuard(setting: OAuthSetting | undefined): Guard {
  return publicGuard(setting?.documents === "loopback_too" ? "loopback_too" : "https");
}
