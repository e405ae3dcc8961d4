import { err, isJsonObject, type Json, ok, parseJson, type Result } from "@countersign/wire";
import { type KeyProblem, type PublicJwk, type PublicKey, readPublicKey } from "../keys/public-key.ts";
import type { SigningKey } from "../keys/signing-key.ts";
import { DOCUMENT_KEYS_MAX, DOCUMENT_MAX_BYTES } from "../limits.ts";

/** The keys of a JWK Set that can be used, and why the others cannot; one bad key takes nothing from the rest. */
export interface KeySet {
  readonly keys: ReadonlyMap<string, PublicKey>;
  readonly dropped: readonly KeyProblem[];
}

export type KeySetProblem = "too_large" | "malformed" | "too_many_keys";

/** Reads what a directory or a `jwks_uri` answered. */
export async function readKeySet(
  bytes: Uint8Array,
  where: { readonly kid: "thumbprint" | "free" },
): Promise<Result<KeySet, KeySetProblem>> {
  if (bytes.length > DOCUMENT_MAX_BYTES) return err("too_large");
  const parsed = parseJson(bytes, { maxBytes: DOCUMENT_MAX_BYTES });
  return parsed.ok ? keySetOf(parsed.value, where) : err("malformed");
}

export async function keySetOf(
  document: Json,
  where: { readonly kid: "thumbprint" | "free" },
): Promise<Result<KeySet, KeySetProblem>> {
  if (!isJsonObject(document)) return err("malformed");
  const listed = document["keys"];
  if (!Array.isArray(listed)) return err("malformed");
  if (listed.length > DOCUMENT_KEYS_MAX) return err("too_many_keys");
  const keys = new Map<string, PublicKey>();
  const dropped: KeyProblem[] = [];
  for (const one of listed as readonly Json[]) {
    const read = await readPublicKey(one, where);
    if (read.ok) keys.set(read.value.keyId, read.value);
    else dropped.push(read.reason);
  }
  return ok({ keys, dropped });
}

/** A directory's body: public members alone, each key by its thumbprint, and no `alg`, whose names are still argued about. */
export function directoryDocument(keys: readonly Pick<SigningKey, "keyId" | "publicJwk">[]): string {
  return JSON.stringify({
    keys: keys.map(({ keyId, publicJwk }) => ({ ...listedJwk(publicJwk), kid: keyId, use: "sig" })),
  });
}

function listedJwk(jwk: PublicJwk): PublicJwk {
  switch (jwk.kty) {
    case "OKP":
      return { kty: jwk.kty, crv: jwk.crv, x: jwk.x };
    case "EC":
      return { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y };
    case "RSA":
      return { kty: jwk.kty, n: jwk.n, e: jwk.e };
  }
}
