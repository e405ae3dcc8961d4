import type { IdentityKey, IdentityKeys, IdentityKeysProblem } from "@countersign/plugin";
import { err, formatInstant, ok, type Result } from "@countersign/wire";
import type { Core } from "../core.ts";
import { gatewayCtx } from "../plugin-ctx.ts";

export type IdentityProblem =
  | IdentityKeysProblem
  /** Nothing here proves to destinations who is calling. */
  | "no_identity"
  | "no_such_signer";

export type IdentityCommand =
  | { readonly command: "identity_keys" }
  | { readonly command: "identity_rotate"; readonly signer?: string | undefined }
  | { readonly command: "identity_withdraw"; readonly key_id: string };

/** The keys by which this gateway shows who is calling: what the operator may see of them, and do with them. */
export async function identityCommand(core: Core, asked: IdentityCommand): Promise<Result<object, IdentityProblem>> {
  if (core.identities.size === 0) return err("no_identity");
  switch (asked.command) {
    case "identity_keys":
      return ok({
        signers: await Promise.all(
          keyed(core).map(async ({ signer, keys, ctx }) => {
            const listed = await keys.list(ctx);
            return { signer, ...(listed.ok ? { keys: listed.value.map(shown) } : { problem: listed.reason }) };
          }),
        ),
      });
    case "identity_rotate": {
      const signer = keyed(core).find((one) => asked.signer === undefined || one.signer === asked.signer);
      if (signer === undefined) return err("no_such_signer");
      const made = await signer.keys.rotate(signer.ctx);
      if (!made.ok) return made;
      core.log.info("identity.rotated", { signer: signer.signer, key: made.value.keyId });
      return ok({ signer: signer.signer, key: shown(made.value) });
    }
    case "identity_withdraw":
      return withdraw(core, asked.key_id);
  }
}

async function withdraw(core: Core, keyId: string): Promise<Result<object, IdentityProblem>> {
  for (const { signer, keys, ctx } of keyed(core)) {
    const gone = await keys.withdraw(ctx, keyId);
    if (!gone.ok && (gone.reason === "unknown_key" || gone.reason === "kept_elsewhere")) continue;
    if (!gone.ok) return gone;
    core.log.info("identity.withdrawn", { signer, key: keyId, next: gone.value.keyId });
    return ok({ signer, key: shown(gone.value) });
  }
  return err("unknown_key");
}

/** Those that have keys to show; the last by its id is the first here: it signs last, over what the others said. */
function keyed(core: Core): readonly { signer: string; keys: IdentityKeys; ctx: ReturnType<typeof gatewayCtx> }[] {
  const { signal } = new AbortController();
  return [...core.identities]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .flatMap(([signer, { keys }]) =>
      keys === undefined ? [] : [{ signer, keys, ctx: gatewayCtx(core, signer, signal) }],
    );
}

function shown({ keyId, publicJwk, state, signsFrom, listedUntil }: IdentityKey): object {
  return {
    key_id: keyId,
    state,
    signs_from: formatInstant(signsFrom),
    ...(listedUntil === undefined ? {} : { listed_until: formatInstant(listedUntil) }),
    public_jwk: publicJwk,
  };
}
