import type { PluginCtx } from "@countersign/plugin";
import type { Instant } from "@countersign/wire";
import type { NonceStore } from "../replay/nonce-store.ts";

const PREFIX = "nonce.";

/**
 * What was used, in the gateway's own store: over restarts, and over every gateway that shares it. One unique insert
 * checks and records. Whose it is is in the key's digest already.
 */
export function storeNonces(ctx: PluginCtx): NonceStore {
  return {
    async record({ key, expiresAtMs }) {
      return (await ctx.store.insertUnique(`${PREFIX}${key}`, expiresAtMs as Instant)) ? "recorded" : "seen";
    },
  };
}
