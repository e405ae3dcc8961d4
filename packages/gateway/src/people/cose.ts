import type { CredentialRecord } from "@countersign/profile";
import { err, fromBase64Url, ok, type Result, toBase64Url } from "@countersign/wire";

type PublicKey = CredentialRecord["public_key"];

/** COSE algorithm ids (RFC 9053, RFC 8812): the two that every verifier of our evidence reads. */
export const ES256_ID = -7;
export const RS256_ID = -257;
export const ALGORITHM_IDS: readonly number[] = [ES256_ID, RS256_ID];

const KTY = 1;
const ALG = 3;
const EC2 = 2;
const RSA = 3;
const P256 = 1;
/** 65537, the only one that authenticators use and records take. */
const EXPONENT = "AQAB";

/** Loaded with the first ceremony: it takes longer than all the rest of a start. */
const helpers = () => import("@simplewebauthn/server/helpers");

/** An authenticator's COSE key as the JWK that records and bundles carry. */
export async function jwkOfCose(bytes: Uint8Array<ArrayBuffer>): Promise<Result<PublicKey, "unsupported_key">> {
  const { isoCBOR } = await helpers();
  let key: unknown;
  try {
    key = isoCBOR.decodeFirst<unknown>(bytes);
  } catch {
    return err("unsupported_key");
  }
  if (!(key instanceof Map)) return err("unsupported_key");
  const text = (label: number): string => {
    const value: unknown = key.get(label);
    return value instanceof Uint8Array ? toBase64Url(value) : "";
  };
  if (key.get(KTY) === EC2 && key.get(ALG) === ES256_ID && key.get(-1) === P256)
    return ok({ kty: "EC", crv: "P-256", x: text(-2), y: text(-3) });
  if (key.get(KTY) === RSA && key.get(ALG) === RS256_ID && text(-2) === EXPONENT)
    return ok({ kty: "RSA", n: text(-1), e: EXPONENT });
  return err("unsupported_key");
}

/** The other way, for the library that checks a sign-in. */
export async function coseOfJwk(key: PublicKey): Promise<Uint8Array<ArrayBuffer>> {
  const { isoCBOR } = await helpers();
  const entries: [number, number | Uint8Array][] =
    key.kty === "EC"
      ? [
          [KTY, EC2],
          [ALG, ES256_ID],
          [-1, P256],
          [-2, bytes(key.x)],
          [-3, bytes(key.y)],
        ]
      : [
          [KTY, RSA],
          [ALG, RS256_ID],
          [-1, bytes(key.n)],
          [-2, bytes(key.e)],
        ];
  return Uint8Array.from(isoCBOR.encode(new Map<string | number, number | Uint8Array>(entries)));
}

function bytes(text: string): Uint8Array {
  const read = fromBase64Url(text);
  return read.ok ? read.value : new Uint8Array();
}
