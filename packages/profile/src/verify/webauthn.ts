import { digestOfBytes, err, fromBase64Url, isJsonObject, ok, parseJson, type Result } from "@countersign/wire";
import { CLIENT_DATA_BYTES_MAX } from "../records/limits.ts";
import type { CredentialRecord, PasskeyRecord } from "../records/passkey.ts";
import type { RefusalCode } from "./report.ts";

const RP_ID_HASH_BYTES = 32;
const AUTHENTICATOR_DATA_BYTES_MIN = 37;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
/** Attested credential data or extensions follow the fixed part. */
const MORE_FOLLOWS = 0xc0;
const COORDINATE_BYTES = 32;

/**
 * Checks a WebAuthn assertion offline (WebAuthn level 3 section 7.2, without what only the live ceremony can know). The
 * answer says whether the authenticator verified the person. Signature counter and backup flags are no offline evidence.
 */
export async function verifyAssertion(
  passkey: PasskeyRecord,
  credential: CredentialRecord,
  challenge: string,
): Promise<Result<"verified" | "present", RefusalCode>> {
  const clientData = fromBase64Url(passkey.client_data_json);
  const authenticatorData = fromBase64Url(passkey.authenticator_data);
  const signature = fromBase64Url(passkey.signature);
  if (!clientData.ok || !authenticatorData.ok || !signature.ok) return err("not_this_record");
  const said = checkClientData(clientData.value, credential.origin, challenge);
  if (!said.ok) return said;
  const flags = await checkAuthenticatorData(authenticatorData.value, credential.rp_id);
  if (!flags.ok) return flags;
  const hash = fromBase64Url(await digestOfBytes(clientData.value));
  if (!hash.ok) return err("client_data_malformed");
  const signed = new Uint8Array([...authenticatorData.value, ...hash.value]);
  if (!(await verifySignature(credential.public_key, signature.value, signed))) return err("bad_assertion");
  return ok((flags.value & USER_VERIFIED) === 0 ? "present" : "verified");
}

function checkClientData(bytes: Uint8Array, origin: string, challenge: string): Result<"as_expected", RefusalCode> {
  const parsed = parseJson(bytes, { maxBytes: CLIENT_DATA_BYTES_MAX });
  if (!parsed.ok || !isJsonObject(parsed.value)) return err("client_data_malformed");
  const data = parsed.value;
  if (data["type"] !== "webauthn.get") return err("wrong_ceremony");
  if (data["challenge"] !== challenge) return err("challenge_differs");
  if (data["origin"] !== origin) return err("origin_differs");
  // A framed page could be drawn over: approvals are made in our own top-level page only.
  const crossOrigin = data["crossOrigin"];
  if ((crossOrigin !== undefined && crossOrigin !== false) || "topOrigin" in data) return err("cross_origin");
  return ok("as_expected");
}

async function checkAuthenticatorData(data: Uint8Array, rpId: string): Promise<Result<number, RefusalCode>> {
  const flags = data[RP_ID_HASH_BYTES];
  if (flags === undefined || data.length < AUTHENTICATOR_DATA_BYTES_MIN) return err("authenticator_data_malformed");
  if ((flags & MORE_FOLLOWS) === 0 && data.length !== AUTHENTICATOR_DATA_BYTES_MIN) {
    return err("authenticator_data_malformed");
  }
  const expected = fromBase64Url(await digestOfBytes(new TextEncoder().encode(rpId)));
  if (!expected.ok || !expected.value.every((byte, index) => byte === data[index])) return err("rp_id_differs");
  return (flags & USER_PRESENT) === 0 ? err("user_not_present") : ok(flags);
}

async function verifySignature(
  key: CredentialRecord["public_key"],
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    if (key.kty === "RSA") {
      const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
      const imported = await crypto.subtle.importKey("jwk", { ...key }, rsa, true, ["verify"]);
      return await crypto.subtle.verify(rsa, imported, signature, signed);
    }
    const raw = rawSignature(signature);
    if (raw === undefined) return false;
    const ec = { name: "ECDSA", namedCurve: "P-256" };
    const imported = await crypto.subtle.importKey("jwk", { ...key }, ec, true, ["verify"]);
    return await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, imported, raw, signed);
  } catch {
    // WebCrypto throws for a point that is not on the curve, and for nothing else that can reach it here.
    return false;
  }
}

/**
 * Authenticators sign in DER, WebCrypto takes r||s. Strict DER: one SEQUENCE of two positive INTEGERs in their shortest
 * form and nothing after it. A high s is normal and accepted.
 */
export function rawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 127) return undefined;
  const raw = new Uint8Array(2 * COORDINATE_BYTES);
  let at = 2;
  for (const end of [COORDINATE_BYTES, 2 * COORDINATE_BYTES]) {
    const length = der[at + 1];
    if (der[at] !== 0x02 || length === undefined || length === 0) return undefined;
    const integer = der.subarray(at + 2, at + 2 + length);
    const [first = 0x80, second = 0] = integer;
    if (integer.length !== length || first >= 0x80) return undefined;
    if (first === 0 && (length === 1 || second < 0x80)) return undefined;
    const digits = first === 0 ? integer.subarray(1) : integer;
    if (digits.length > COORDINATE_BYTES) return undefined;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}
