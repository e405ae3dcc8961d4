import { definePoint, type PluginCtx } from "@countersign/plugin";
import type { Discovery } from "../agent/discovery.ts";
import type { SigningKey } from "../keys/signing-key.ts";
import type { NonceStore } from "../replay/nonce-store.ts";

/**
 * Where the gateway's keys are. The default keeps them in the plugin's vault; a host that has an HSM puts its own here.
 * Private halves stay behind the keys' `sign`.
 */
export interface SignerKeys {
  /** The key that signs now. */
  current(ctx: PluginCtx): Promise<SigningKey>;
  /** Every key that the directory lists, the one that signs among them. */
  listed(ctx: PluginCtx): Promise<readonly SigningKey[]>;
}

/** Secret-bearing: whoever reads it can sign as the gateway. */
export const signerPoint = definePoint({
  id: "web_bot_auth.signer",
  kind: "one",
  override: "host",
  secretBearing: true,
  check: (v): v is SignerKeys => hasFunctions(v, "current", "listed"),
});

/** Makes the record of what was used; the default stands in the plugin's store, so that a restart forgets nothing. */
export type NonceStoreFactory = (ctx: PluginCtx) => NonceStore;

export const nonceStorePoint = definePoint({
  id: "web_bot_auth.nonceStore",
  kind: "one",
  override: "host",
  check: (v): v is NonceStoreFactory => typeof v === "function",
});

/** The discovery types, each while somebody contributes it: a type that nobody does is one that is not supported. */
export const directoryExtensionPoint = discoveryPoint("web_bot_auth.extension.directory", "directory");
export const jwksUriExtensionPoint = discoveryPoint("web_bot_auth.extension.jwks_uri", "jwks_uri");
export const cimdExtensionPoint = discoveryPoint("web_bot_auth.extension.cimd", "cimd");

function discoveryPoint(id: `${string}.${string}`, type: string) {
  return definePoint({
    id,
    kind: "one",
    override: "declared",
    check: (v): v is Discovery => hasFunctions(v, "place") && "type" in v && v.type === type,
  });
}

function hasFunctions<N extends string>(v: unknown, ...names: readonly N[]): v is { readonly [K in N]: unknown } {
  if (typeof v !== "object" || v === null) return false;
  const members = v as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof members[name] === "function");
}
