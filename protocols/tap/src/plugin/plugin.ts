import {
  definePlugin,
  type IdentitySigner,
  identityPoint,
  type Plugin,
  type PluginCtx,
  type Scope,
} from "@countersign/plugin";
import { httpRequestOf, type NonceStore } from "@countersign/web-bot-auth";
import { operatorKeys, type VaultKeys } from "@countersign/web-bot-auth/plugin";
import { assert } from "@countersign/wire";
import { signBrowsing } from "../message/sign.ts";
import { createTapVerifier, type TapVerifier } from "../message/verify.ts";
import { keySourcePoint, signerPoint } from "./points.ts";

/** Its key at `gateway.identity` too: by their ids it signs before Web Bot Auth, which then shares its nonce. */
export const TAP = "protocol.tap";
const SIGNATURE_ORDER = 200;
/** Reading alone: a request that changes something says so by a payment that was approved, or not at all. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export interface TapSettings {
  /** Merchants that are told that an agent is browsing, by their origin. Nobody else gets a TAP signature. */
  readonly merchants?: readonly string[];
  /** Keys that the gateway makes and keeps itself; without them the host puts the scheme's own at `tap.signer`. */
  readonly keys?: VaultKeys;
}

/**
 * TAP as a plugin. What it adds to requests by itself is the browsing signature, at the merchants that are named. A paying
 * request is signed by `signPaying`, by whoever holds the recorded approval, and never here: the seam knows of none.
 *
 * @throws AssertionFailed when a merchant is no https origin.
 */
export function tap(settings: TapSettings = {}): Plugin {
  const { merchants = [], keys } = settings;
  assert(
    merchants.every((one) => URL.canParse(one) && new URL(one).origin === one && one.startsWith("https:")),
    "merchants are https origins",
  );
  return definePlugin({
    manifest: {
      id: TAP,
      version: "1",
      title: "Trusted Agent Protocol",
      opens: [signerPoint, keySourcePoint],
      uses: [identityPoint],
      needs: ["protocol.web_bot_auth"],
      describes: {
        id: "tap",
        name: "Trusted Agent Protocol",
        versions: ["unnumbered"],
        publisher: "Visa",
        layer: "identity",
        roles: ["signer", "verifier"],
        // Nothing here could be checked against the publisher: no vector and no live key exists.
        state: "draft",
        points: [signerPoint.id, keySourcePoint.id],
        catalogue: { id: "tap", versions: ["unnumbered"] },
        libraries: [{ name: "jose", version: "6.2.18" }],
      },
    },
    contribute(put, scope) {
      if (keys !== undefined) put(signerPoint, { id: "vault", value: keys });
      if (merchants.length === 0) return;
      const value = {
        ...browsingSigner(new Set(merchants), scope),
        ...(keys === undefined ? {} : { keys: operatorKeys(keys, () => scope.get(signerPoint) === keys) }),
      };
      put(identityPoint, { id: "browsing", key: TAP, order: SIGNATURE_ORDER, value });
    },
  });
}

export const tapPlugin: Plugin = tap();

/** A verifier by the sources that the set holds, in the order of their names; the nonces are the host's to give. */
export function tapVerifierIn(scope: Scope, ctx: PluginCtx, nonces: NonceStore): TapVerifier {
  return createTapVerifier({ sources: [...scope.get(keySourcePoint).values()], nonces, now: ctx.now });
}

function browsingSigner(merchants: ReadonlySet<string>, scope: Scope): IdentitySigner {
  return {
    async sign(ctx, request) {
      const keys = scope.get(signerPoint);
      if (keys === undefined || !READS.has(request.method) || !merchants.has(new URL(request.url).origin))
        return request;
      const signed = await signBrowsing(httpRequestOf(request), { key: await keys.current(ctx), now: ctx.now });
      if (!signed.ok) {
        ctx.log.warn("tap.unsigned", { reason: signed.reason });
        return request;
      }
      const headers = new Headers(request.headers);
      for (const [name, value] of signed.value.headers) headers.set(name, value);
      return new Request(request, { headers });
    },
  };
}
