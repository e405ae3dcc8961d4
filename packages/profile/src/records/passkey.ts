import { fromBase64Url } from "@countersign/wire";
import { z } from "zod";
import { identifier } from "../request/request.ts";
import {
  ASSERTION_SIGNATURE_BYTES_MAX,
  AUTHENTICATOR_DATA_BYTES_MAX,
  CLIENT_DATA_BYTES_MAX,
  CREDENTIAL_ID_BYTES_MAX,
  RSA_MODULUS_BYTES_MAX,
  RSA_MODULUS_BYTES_MIN,
} from "./limits.ts";
import { bytesText, digestText, issuerUrl, originText, recordTime, word } from "./shapes.ts";

const credentialId = bytesText(CREDENTIAL_ID_BYTES_MAX);

/** `countersign.passkey/1`: a WebAuthn assertion whose challenge is an action's digest. Raw bytes in base64url. */
export const passkeyRecord = z.strictObject({
  typ: z.literal("countersign.passkey/1"),
  credential_id: credentialId,
  authenticator_data: bytesText(AUTHENTICATOR_DATA_BYTES_MAX),
  client_data_json: bytesText(CLIENT_DATA_BYTES_MAX),
  signature: bytesText(ASSERTION_SIGNATURE_BYTES_MAX),
});

const ecKey = z.strictObject({ kty: z.literal("EC"), crv: z.literal("P-256"), x: digestText, y: digestText });

/** Windows platform authenticators sign with RSA (decisions.md 6). */
const rsaKey = z.strictObject({
  kty: z.literal("RSA"),
  n: bytesText(RSA_MODULUS_BYTES_MAX).refine(isLargeModulus, "a modulus of 2048 to 4096 bits"),
  e: z.literal("AQAB"),
});

function isLargeModulus(text: string): boolean {
  const bytes = fromBase64Url(text);
  return bytes.ok && bytes.value.length >= RSA_MODULUS_BYTES_MIN && bytes.value[0] !== 0;
}

/** `countersign.credential/1`: which passkey belongs to which person, signed and logged when it is enrolled. */
export const credentialRecord = z.strictObject({
  typ: z.literal("countersign.credential/1"),
  issuer: issuerUrl,
  account_holder: identifier,
  credential_id: credentialId,
  /** A host name; the authenticator signs its SHA-256. */
  rp_id: z
    .string()
    .max(253)
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/),
  origin: originText,
  public_key: z.discriminatedUnion("kty", [ecKey, rsaKey]),
  /** Attestation format, `none` for most passkeys. */
  attestation: word,
  enrolled_at: recordTime,
});

export type PasskeyRecord = z.infer<typeof passkeyRecord>;
export type CredentialRecord = z.infer<typeof credentialRecord>;
