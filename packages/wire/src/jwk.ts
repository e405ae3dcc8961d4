import { fromBase64Url } from "./base64url.ts";
import { digestOf } from "./canonical.ts";
import { assert, err, ok, type Result } from "./result.ts";
import { type Secret, secret } from "./secret.ts";

/** A P-256 public key as RFC 7518 section 6.2 writes it, with nothing else in it. */
export interface PublicJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
}

/** Anything that may be a JWK: one of a key set in a record, of a library, or {@link PublicJwk}. */
export interface JwkLike {
  readonly kty?: unknown;
  readonly crv?: unknown;
  readonly x?: unknown;
  readonly y?: unknown;
  readonly n?: unknown;
  readonly e?: unknown;
}

const ES256 = { name: "ECDSA", namedCurve: "P-256" } as const;
const COORDINATE_BYTES = 32;

/** RFC 7638 section 3.2, with RFC 8037 for OKP: what identifies a key of each type. */
const THUMBPRINT_MEMBERS: ReadonlyMap<unknown, readonly ("kty" | "crv" | "x" | "y" | "n" | "e")[]> = new Map([
  ["EC", ["crv", "kty", "x", "y"] as const],
  ["OKP", ["crv", "kty", "x"] as const],
  ["RSA", ["e", "kty", "n"] as const],
]);

/**
 * The RFC 7638 SHA-256 thumbprint, 43 characters of base64url: the `kid` of our keys.
 * @throws AssertionFailed when the key's type is unknown or a member is missing; check a foreign key first with
 *   {@link parsePublicJwk}.
 */
export async function thumbprint(jwk: JwkLike): Promise<string> {
  const members = THUMBPRINT_MEMBERS.get(jwk.kty);
  assert(members, "thumbprint: an unknown type of key");
  const required: Record<string, string> = {};
  for (const name of members) {
    const value = jwk[name];
    assert(typeof value === "string", "thumbprint: a member is missing");
    required[name] = value;
  }
  return digestOf(required);
}

/** Takes the public P-256 part of a JWK and drops the rest. A private key (`d`) is refused: it has no business here. */
export function parsePublicJwk(jwk: JwkLike): Result<PublicJwk, "not_es256_key"> {
  const { kty, crv, x, y } = jwk;
  if (kty !== "EC" || crv !== "P-256" || "d" in jwk) return err("not_es256_key");
  return isCoordinate(x) && isCoordinate(y) ? ok({ kty, crv, x, y }) : err("not_es256_key");
}

function isCoordinate(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const bytes = fromBase64Url(value);
  return bytes.ok && bytes.value.length === COORDINATE_BYTES;
}

/** A key for verifying; refused when it is not P-256 or not a point of the curve. */
export async function importPublicKey(jwk: JwkLike): Promise<Result<CryptoKey, "not_es256_key">> {
  const parsed = parsePublicJwk(jwk);
  if (!parsed.ok) return parsed;
  try {
    return ok(await crypto.subtle.importKey("jwk", { ...parsed.value }, ES256, true, ["verify"]));
  } catch {
    return err("not_es256_key");
  }
}

/** A key for signing, not extractable again. */
export async function importPrivateKey(jwk: Secret<JsonWebKey>): Promise<Result<CryptoKey, "not_es256_key">> {
  const { kty, crv, x, y, d } = jwk.reveal();
  if (kty !== "EC" || crv !== "P-256" || !isCoordinate(x) || !isCoordinate(y) || !isCoordinate(d)) {
    return err("not_es256_key");
  }
  try {
    return ok(await crypto.subtle.importKey("jwk", { kty, crv, x, y, d }, ES256, false, ["sign"]));
  } catch {
    return err("not_es256_key");
  }
}

/** A fresh ES256 key. The public part is what key sets list; the private part goes to the vault. */
export async function generateSigningKey(): Promise<{
  readonly publicJwk: PublicJwk;
  readonly privateJwk: Secret<JsonWebKey>;
}> {
  const pair = await crypto.subtle.generateKey(ES256, true, ["sign", "verify"]);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const publicJwk = parsePublicJwk({ kty, crv, x, y });
  assert(publicJwk.ok && d !== undefined, "generateSigningKey: WebCrypto made a key of another kind");
  return { publicJwk: publicJwk.value, privateJwk: secret({ ...publicJwk.value, d }) };
}

/** The `sign` argument of `signJws` for a key in this process. */
export function signerOf(key: CryptoKey): (bytes: Uint8Array) => Promise<Uint8Array> {
  return async (bytes) =>
    new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, new Uint8Array(bytes)));
}
