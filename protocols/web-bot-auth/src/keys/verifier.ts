import type { webcrypto } from "node:crypto";
import type { Algorithm } from "../signatures/algorithm.ts";
import { nodeCrypto } from "../signatures/node-crypto.ts";
import type { BaseVerifier } from "../signatures/rfc9421.ts";
import type { PublicJwk } from "./public-key.ts";

/** RFC 9421 section 3.3.1: 64 bytes of salt, no more and no fewer. */
const PSS_SALT_BYTES = 64;
const PAIR_BYTES = 64;

/** Undefined when the platform cannot make a key of it (a point that is not on the curve). */
export async function verifierOf(jwk: PublicJwk, algorithm: Algorithm): Promise<BaseVerifier | undefined> {
  try {
    return (nodeCrypto === undefined ? undefined : nodeVerifier(jwk, algorithm)) ?? (await webVerifier(jwk, algorithm));
  } catch {
    return undefined;
  }
}

function nodeVerifier(jwk: PublicJwk, algorithm: Algorithm): BaseVerifier | undefined {
  if (nodeCrypto === undefined) return undefined;
  const { createPublicKey, verify, constants } = nodeCrypto;
  const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
  const length = signatureBytes(jwk);
  switch (algorithm) {
    case "ed25519":
      return {
        algorithm,
        verify: (base, signature) => signature.length === length && verify(null, base, key, signature),
      };
    case "rsa-pss-sha512": {
      const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: PSS_SALT_BYTES };
      return {
        algorithm,
        verify: (base, signature) => signature.length === length && verify("sha512", base, options, signature),
      };
    }
    case "ecdsa-p256-sha256": {
      const options = { key, dsaEncoding: "ieee-p1363" } as const;
      return {
        algorithm,
        verify: (base, signature) => signature.length === length && verify("sha256", base, options, signature),
      };
    }
  }
}

type Imported = Parameters<SubtleCrypto["importKey"]>[2];
type Verified = Parameters<SubtleCrypto["verify"]>[0];

const WEB: Readonly<Record<Algorithm, { readonly imported: Imported; readonly verified: Verified }>> = {
  ed25519: { imported: { name: "Ed25519" }, verified: { name: "Ed25519" } },
  "rsa-pss-sha512": {
    imported: { name: "RSA-PSS", hash: "SHA-512" },
    verified: { name: "RSA-PSS", saltLength: PSS_SALT_BYTES } as webcrypto.RsaPssParams,
  },
  "ecdsa-p256-sha256": {
    imported: { name: "ECDSA", namedCurve: "P-256" } as webcrypto.EcKeyImportParams,
    verified: { name: "ECDSA", hash: "SHA-256" } as webcrypto.EcdsaParams,
  },
};

/** By WebCrypto alone: browsers and edge runtimes. */
export async function webVerifier(jwk: PublicJwk, algorithm: Algorithm): Promise<BaseVerifier> {
  const { imported, verified } = WEB[algorithm];
  const key = await crypto.subtle.importKey("jwk", { ...jwk }, imported, true, ["verify"]);
  const length = signatureBytes(jwk);
  return {
    algorithm,
    async verify(base, signature) {
      if (signature.length !== length) return false;
      return crypto.subtle.verify(verified, key, new Uint8Array(signature), new Uint8Array(base));
    },
  };
}

function signatureBytes(jwk: PublicJwk): number {
  // Canonical base64url of n without leading zero, so its length says the modulus'.
  return jwk.kty === "RSA" ? Math.floor((jwk.n.length * 3) / 4) : PAIR_BYTES;
}
