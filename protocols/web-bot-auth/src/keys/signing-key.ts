import { assert, err, ok, type Result, type Secret, secret, thumbprint } from "@countersign/wire";
import { nodeCrypto } from "../signatures/node-crypto.ts";
import type { BaseSigner } from "../signatures/rfc9421.ts";
import { type PublicJwk, publicJwkOf } from "./public-key.ts";

/**
 * Signs, and says who it is. The private half is reached by `sign` alone: it is no member, so nothing that copies, prints
 * or serializes this object can show it. Anything of this shape will do (a key in a vault or an HSM).
 */
export interface SigningKey extends BaseSigner {
  readonly algorithm: "ed25519";
  /** The RFC 7638 thumbprint, which goes out as `keyid`. */
  readonly keyId: string;
  readonly publicJwk: Ed25519PublicJwk;
}

export type Ed25519PublicJwk = Extract<PublicJwk, { readonly kty: "OKP" }>;

/** A fresh key. The private JWK is for a vault; keep it wrapped. */
export async function generateSigningKey(): Promise<{
  readonly key: SigningKey;
  readonly privateJwk: Secret<JsonWebKey>;
}> {
  const pair = (await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"])) as CryptoKeyPair;
  const { kty, crv, x, d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  assert(kty === "OKP" && crv === "Ed25519" && x !== undefined && d !== undefined, "a generated key is Ed25519");
  const privateJwk = secret<JsonWebKey>({ kty, crv, x, d });
  const key = await importSigningKey(privateJwk);
  assert(key.ok, "a generated key can be imported");
  return { key: key.value, privateJwk };
}

/** A key out of its private JWK (Ed25519). Refused when its halves do not belong together. */
export async function importSigningKey(jwk: Secret<JsonWebKey>): Promise<Result<SigningKey, "not_ed25519_key">> {
  const { kty, crv, x, d } = jwk.reveal();
  if (kty !== "OKP" || crv !== "Ed25519" || typeof d !== "string") return err("not_ed25519_key");
  const publicJwk = ed25519Of({ kty, crv, x });
  if (publicJwk === undefined) return err("not_ed25519_key");
  try {
    const signing = await signerOf({ ...publicJwk, d });
    // Some platforms take `x` and `d` of different keys; a signature that does not verify would show it to nobody.
    if (!(await belongsTogether(publicJwk, signing))) return err("not_ed25519_key");
    return ok(await named(publicJwk, signing));
  } catch {
    return err("not_ed25519_key");
  }
}

/** A pair that the platform holds, extractable or not: a page's own key, which it can use and never read. */
export async function signingKeyOf(pair: CryptoKeyPair): Promise<Result<SigningKey, "not_ed25519_key">> {
  if (pair.privateKey.algorithm.name !== "Ed25519" || !pair.publicKey.extractable) return err("not_ed25519_key");
  const publicJwk = ed25519Of(await crypto.subtle.exportKey("jwk", pair.publicKey));
  if (publicJwk === undefined) return err("not_ed25519_key");
  return ok(await named(publicJwk, webSigner(pair.privateKey)));
}

type Sign = BaseSigner["sign"];

async function signerOf(jwk: JsonWebKey): Promise<Sign> {
  if (nodeCrypto !== undefined) {
    const { createPrivateKey, sign } = nodeCrypto;
    const key = createPrivateKey({ key: { ...jwk }, format: "jwk" });
    return (base) => sign(null, base, key);
  }
  return webSigner(await crypto.subtle.importKey("jwk", { ...jwk }, { name: "Ed25519" }, false, ["sign"]));
}

function webSigner(key: CryptoKey): Sign {
  return async (base) => new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, key, new Uint8Array(base)));
}

async function named(publicJwk: Ed25519PublicJwk, sign: Sign): Promise<SigningKey> {
  const keyId = await thumbprint(publicJwk);
  return Object.freeze({ algorithm: "ed25519" as const, keyId, publicJwk: Object.freeze(publicJwk), sign });
}

function ed25519Of(jwk: Readonly<Record<string, unknown>> | JsonWebKey): Ed25519PublicJwk | undefined {
  const read = publicJwkOf({ ...jwk });
  return read.ok && read.value.kty === "OKP" ? read.value : undefined;
}

async function belongsTogether(publicJwk: Ed25519PublicJwk, sign: Sign): Promise<boolean> {
  const probe = new TextEncoder().encode("web-bot-auth key check");
  const signature = await sign(probe);
  const key = await crypto.subtle.importKey("jwk", { ...publicJwk }, { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, key, new Uint8Array(signature), probe);
}
