import {
  err,
  fromBase64Url,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  type Result,
  thumbprint,
} from "@countersign/wire";
import { RSA_EXPONENT_MAX_BYTES, RSA_MAX_BITS, RSA_MIN_BITS } from "../limits.ts";
import type { Algorithm } from "../signatures/algorithm.ts";
import type { BaseVerifier } from "../signatures/rfc9421.ts";
import { verifierOf } from "./verifier.ts";

/** Exactly what identifies a key of each type (RFC 7638, RFC 8037), and nothing else. */
export type PublicJwk =
  | { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string }
  | { readonly kty: "RSA"; readonly n: string; readonly e: string }
  | { readonly kty: "EC"; readonly crv: "P-256"; readonly x: string; readonly y: string };

export type KeyProblem =
  /** It holds a private member: whoever published it has lost it. */
  | "private_member"
  | "unsupported_type"
  | "malformed"
  /** `use`, `key_ops` or `alg` say that it is for something else. */
  | "other_use"
  /** Its `kid` is not its thumbprint, where it has to be. */
  | "kid_mismatch"
  | "weak";

/** A key that somebody published, checked and ready to verify with. */
export interface PublicKey {
  /** The RFC 7638 thumbprint: what `keyid` has to be. */
  readonly keyId: string;
  readonly jwk: PublicJwk;
  readonly algorithm: Algorithm;
  /** Unix seconds; the draft's example carries both. */
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly verifier: BaseVerifier;
}

const PRIVATE_MEMBERS: readonly string[] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
/** RFC 9421 names, and the JOSE names that mean the same. */
const NAMES: Readonly<Record<Algorithm, readonly string[]>> = {
  ed25519: ["ed25519", "Ed25519", "EdDSA"],
  "rsa-pss-sha512": ["rsa-pss-sha512", "PS512"],
  "ecdsa-p256-sha256": ["ecdsa-p256-sha256", "ES256"],
};
const COORDINATE_BYTES = 32;

/** `kid`: `thumbprint` where a key must be named by it (a well-known directory), `free` where the name is a label. */
export async function readPublicKey(
  given: Json,
  where: { readonly kid: "thumbprint" | "free" } = { kid: "free" },
): Promise<Result<PublicKey, KeyProblem>> {
  if (!isJsonObject(given)) return err("malformed");
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(given, name))) return err("private_member");
  const jwk = publicJwkOf(given);
  if (!jwk.ok) return jwk;
  const algorithm = algorithmOf(jwk.value);
  if (!isForVerifying(given, algorithm)) return err("other_use");
  const keyId = await thumbprint(jwk.value);
  const kid = given["kid"];
  if (where.kid === "thumbprint" && kid !== undefined && kid !== keyId) return err("kid_mismatch");
  const notBefore = secondsOf(given, "nbf");
  const notAfter = secondsOf(given, "exp");
  if (notBefore === "malformed" || notAfter === "malformed") return err("malformed");
  const verifier = await verifierOf(jwk.value, algorithm);
  if (verifier === undefined) return err("malformed");
  return ok({
    keyId,
    jwk: jwk.value,
    algorithm,
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(notAfter === undefined ? {} : { notAfter }),
    verifier,
  });
}

/** The public members alone, by allow-list. */
export function publicJwkOf(jwk: Readonly<Record<string, unknown>>): Result<PublicJwk, KeyProblem> {
  const { kty, crv, x, y, n, e } = jwk;
  if (kty === "OKP" && crv === "Ed25519") return isBytes(x) ? ok({ kty, crv, x }) : err("malformed");
  if (kty === "EC" && crv === "P-256") return isBytes(x) && isBytes(y) ? ok({ kty, crv, x, y }) : err("malformed");
  if (kty !== "RSA") return err("unsupported_type");
  if (typeof n !== "string" || typeof e !== "string") return err("malformed");
  const modulus = fromBase64Url(n);
  const exponent = fromBase64Url(e);
  if (!modulus.ok || !exponent.ok) return err("malformed");
  const bits = bitsOf(modulus.value);
  if (bits < RSA_MIN_BITS || bits > RSA_MAX_BITS || (modulus.value.at(-1) ?? 0) % 2 === 0) return err("weak");
  return isExponent(exponent.value) ? ok({ kty, n, e }) : err("weak");
}

export function algorithmOf(jwk: PublicJwk): Algorithm {
  if (jwk.kty === "OKP") return "ed25519";
  return jwk.kty === "RSA" ? "rsa-pss-sha512" : "ecdsa-p256-sha256";
}

/** Whether its own dates allow it now. */
export function isInForce(
  key: PublicKey,
  { nowS, skewS }: { readonly nowS: number; readonly skewS: number },
): "in_force" | "not_yet" | "over" {
  if (key.notBefore !== undefined && nowS + skewS < key.notBefore) return "not_yet";
  return key.notAfter !== undefined && nowS - skewS > key.notAfter ? "over" : "in_force";
}

function isForVerifying(jwk: JsonObject, algorithm: Algorithm): boolean {
  const { use, key_ops: operations, alg } = jwk;
  if (use !== undefined && use !== "sig") return false;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) return false;
  return alg === undefined || (typeof alg === "string" && NAMES[algorithm].includes(alg));
}

function isBytes(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const bytes = fromBase64Url(value);
  return bytes.ok && bytes.value.length === COORDINATE_BYTES;
}

function bitsOf(bytes: Uint8Array): number {
  const [first = 0] = bytes;
  return first === 0 ? 0 : bytes.length * 8 - Math.clz32(first) + 24;
}

function isExponent(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > RSA_EXPONENT_MAX_BYTES) return false;
  const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return value >= 3 && value % 2 === 1;
}

function secondsOf(jwk: JsonObject, name: "nbf" | "exp"): number | undefined | "malformed" {
  const value = jwk[name];
  if (value === undefined) return undefined;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : "malformed";
}
