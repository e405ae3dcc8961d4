import type { CredentialRecord } from "@countersign/profile";
import { assert, digestOfBytes, fromBase64Url, type JsonObject, toBase64Url } from "@countersign/wire";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ES256 = { name: "ECDSA", namedCurve: "P-256" } as const;

/** A software authenticator with one passkey: what it answers is what a real one would post through the page. */
export interface Authenticator {
  readonly credentialId: string;
  readonly publicKey: CredentialRecord["public_key"];
  /** Signs a challenge for an origin. */
  answer(challenge: string, change?: AnswerChange): Promise<JsonObject>;
}

export interface AnswerChange {
  readonly origin?: string;
  readonly user?: "verified" | "present";
  readonly ceremony?: string;
}

export async function makeAuthenticator(origin: string): Promise<Authenticator> {
  const pair = await crypto.subtle.generateKey(ES256, true, ["sign", "verify"]);
  const jwk = await crypto.subtle.exportKey("jwk", pair.publicKey);
  assert(typeof jwk.x === "string" && typeof jwk.y === "string", "a P-256 key has two coordinates");
  const credentialId = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  return {
    credentialId,
    publicKey: { kty: "EC", crv: "P-256", x: jwk.x, y: jwk.y },
    async answer(challenge, change = {}) {
      const clientData = {
        type: change.ceremony ?? "webauthn.get",
        challenge,
        origin: change.origin ?? origin,
        crossOrigin: false,
      };
      const clientBytes = new TextEncoder().encode(JSON.stringify(clientData));
      const rpHash = bytes(await digestOfBytes(new TextEncoder().encode(new URL(origin).hostname)));
      const flags = change.user === "present" ? USER_PRESENT : USER_PRESENT | USER_VERIFIED;
      const authenticatorData = new Uint8Array([...rpHash, flags, 0, 0, 0, 0]);
      const signed = new Uint8Array([...authenticatorData, ...bytes(await digestOfBytes(clientBytes))]);
      const raw = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, signed));
      return {
        credential_id: credentialId,
        authenticator_data: toBase64Url(authenticatorData),
        client_data_json: toBase64Url(clientBytes),
        signature: toBase64Url(der(raw)),
      };
    },
  };
}

function bytes(base64url: string): Uint8Array {
  const read = fromBase64Url(base64url);
  assert(read.ok, "a digest is base64url");
  return read.value;
}

/** r||s as the DER that authenticators answer with. */
function der(raw: Uint8Array): Uint8Array {
  const integer = (half: Uint8Array): number[] => {
    const start = half.findIndex((byte) => byte !== 0);
    const digits = [...half.subarray(start)];
    if ((digits[0] ?? 0) >= 0x80) digits.unshift(0);
    return [0x02, digits.length, ...digits];
  };
  const body = [...integer(raw.subarray(0, 32)), ...integer(raw.subarray(32))];
  return new Uint8Array([0x30, body.length, ...body]);
}
