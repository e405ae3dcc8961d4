import type { PluginCtx } from "@countersign/plugin";
import { digestOfBytes, type Instant } from "@countersign/wire";
import { NONCES_COUNTED_MS, NONCES_MAX, NONCES_PER_IDENTIFIER_MAX } from "../limits.ts";
import type { NonceStore } from "../replay/nonce-store.ts";

const PREFIX = "nonce.";

export interface StoreNonceOptions {
  readonly max?: number;
  readonly maxPerIdentifier?: number;
}

/**
 * What was used, in the gateway's own store: over restarts, and over every gateway that shares it. One unique insert
 * checks and records. What a signer makes us keep is counted before it, exactly for the signer and, for all of them
 * together, as it stood some seconds ago; so the bounds are passed by what comes at one time, and by no more. A signer
 * who is at the bound is told that a replay cannot be ruled out, never that there was none.
 */
export function storeNonces(ctx: PluginCtx, options: StoreNonceOptions = {}): NonceStore {
  const { max = NONCES_MAX, maxPerIdentifier = NONCES_PER_IDENTIFIER_MAX } = options;
  let counted = { total: 0, atMs: Number.NEGATIVE_INFINITY };
  const isFull = async (group: string): Promise<boolean> => {
    const nowMs = ctx.now();
    if (nowMs - counted.atMs >= NONCES_COUNTED_MS) counted = { total: await ctx.store.countUnique(max), atMs: nowMs };
    return counted.total >= max || (await ctx.store.countUnique(maxPerIdentifier, group)) >= maxPerIdentifier;
  };
  return {
    async record({ key, identifier, expiresAtMs }) {
      const name = `${PREFIX}${key}`;
      const group = `${PREFIX}${await digestOfBytes(new TextEncoder().encode(identifier))}`;
      // A replay is told as one, full or not.
      if (await isFull(group)) return (await ctx.store.get(name)) === undefined ? "full" : "seen";
      if (!(await ctx.store.insertUnique(name, expiresAtMs as Instant, group))) return "seen";
      counted = { ...counted, total: counted.total + 1 };
      return "recorded";
    },
  };
}
