import type { IdentityKey, IdentityKeys, PluginCtx } from "@countersign/plugin";
import { assert, err, type Instant, type JsonObject, ok, type Result } from "@countersign/wire";
import { signing } from "../directory/key-ring.ts";
import type { RingEntry, VaultKeys } from "./vault-keys.ts";

/** Keys of the vault as the operator's command sees them; `stands` says whether they are the ones that sign. */
export function operatorKeys(keys: VaultKeys, stands: () => boolean): IdentityKeys {
  const one = async (ctx: PluginCtx, keyId: string): Promise<IdentityKey> => {
    const found = shown(await keys.ring(ctx), ctx.now()).find((key) => key.keyId === keyId);
    assert(found !== undefined, "a key that was just made is listed");
    return found;
  };
  const after = async <P extends string>(
    ctx: PluginCtx,
    made: Result<{ readonly keyId: string }, P>,
  ): Promise<Result<IdentityKey, P>> => (made.ok ? ok(await one(ctx, made.value.keyId)) : made);
  return {
    async list(ctx) {
      return stands() ? ok(shown(await keys.ring(ctx), ctx.now())) : err("kept_elsewhere");
    },
    async rotate(ctx) {
      return stands() ? after(ctx, await keys.rotate(ctx)) : err("kept_elsewhere");
    },
    async withdraw(ctx, keyId) {
      return stands() ? after(ctx, await keys.withdraw(ctx, keyId)) : err("kept_elsewhere");
    },
  };
}

function shown(ring: readonly RingEntry[], nowMs: number): readonly IdentityKey[] {
  const signs = signing(ring, nowMs)?.keyId;
  return ring.map(({ keyId, publicJwk, signsFromMs, listedUntilMs }) => ({
    keyId,
    publicJwk: { ...publicJwk } satisfies JsonObject,
    state: keyId === signs ? "signing" : nowMs < signsFromMs ? "next" : "leaving",
    signsFrom: signsFromMs as Instant,
    ...(listedUntilMs === undefined ? {} : { listedUntil: listedUntilMs as Instant }),
  }));
}
