import { err, fromBase64Url, isJsonObject, ok, parseJson, type Result, toBase64Url } from "@countersign/wire";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { type CredentialRow, credentialOf, type NewCredential } from "../approval/credentials.ts";
import { tokenHash } from "../ids.ts";
import { CEREMONY_LIFE_MS } from "../limits.ts";
import { ALGORITHM_IDS, coseOfJwk, jwkOfCose } from "./cose.ts";
import { counterOf } from "./counter.ts";

/**
 * The WebAuthn ceremonies, without any store: what a browser is asked, and what its answer proves. The person is always
 * verified by the authenticator, passkeys are always discoverable (nobody types a name), and only algorithms that the
 * offline verifier reads are offered or taken.
 */

/** Loaded with the first ceremony: it takes longer than all the rest of a start. */
const library = () => import("@simplewebauthn/server");

const TEXT_MAX = 8_192;
const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(TEXT_MAX);
const credentialId = base64url.max(1_400);
const common = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).exactOptional(),
  clientExtensionResults: z.looseObject({}),
};

export const registrationAnswer = z.strictObject({
  ...common,
  // Browsers add members beside these (the public key again, its algorithm); we read the attested ones alone.
  response: z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(10).exactOptional(),
  }),
});
export const assertionAnswer = z.strictObject({
  ...common,
  response: z.strictObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.max(200).exactOptional(),
  }),
});
export type RegistrationAnswer = z.infer<typeof registrationAnswer>;
export type AssertionAnswer = z.infer<typeof assertionAnswer>;

/** Where passkeys live: the issuer's own host name, and its exact origin. `localhost` is one. */
export function relyingParty(issuer: string): { readonly rpId: string; readonly origin: string } {
  return { rpId: new URL(issuer).hostname, origin: issuer };
}

/** The handle under which authenticators keep a person: opaque, the same for all their passkeys, no pseudonym of records. */
export function userHandle(personId: string): string {
  return tokenHash(`countersign user handle ${personId}`);
}

export async function creationOptions(asked: {
  readonly issuer: string;
  readonly challenge: Uint8Array<ArrayBuffer>;
  readonly personId: string;
  readonly name: string;
  readonly enrolled: readonly CredentialRow[];
}): Promise<object> {
  const handle = fromBase64Url(userHandle(asked.personId));
  if (!handle.ok) throw new Error("a digest is base64url");
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Countersign",
    rpID: relyingParty(asked.issuer).rpId,
    userID: handle.value,
    userName: asked.name,
    userDisplayName: asked.name,
    challenge: asked.challenge,
    timeout: CEREMONY_LIFE_MS,
    attestationType: "none",
    excludeCredentials: asked.enrolled.map(descriptor),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    supportedAlgorithmIDs: [...ALGORITHM_IDS],
  });
}

/** With no passkeys named, the browser offers every one that it has for this gateway: sign-in without a name. */
export async function requestOptions(asked: {
  readonly issuer: string;
  readonly challenge: Uint8Array<ArrayBuffer>;
  readonly among: readonly CredentialRow[];
}): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: relyingParty(asked.issuer).rpId,
    challenge: asked.challenge,
    timeout: CEREMONY_LIFE_MS,
    userVerification: "required",
    ...(asked.among.length === 0 ? {} : { allowCredentials: asked.among.map(descriptor) }),
  });
}

function descriptor(row: CredentialRow): { id: string; transports: string[] } {
  return { id: row.credential_id, transports: JSON.parse(row.transports) as string[] };
}

/** The challenge that an answer says it answers; by it the gateway finds what it asked. */
export function challengeOf(clientDataJson: string): string | undefined {
  const data = clientData(clientDataJson);
  const challenge = data?.["challenge"];
  return typeof challenge === "string" ? challenge : undefined;
}

/** A new passkey as its authenticator attested it. Standing and label are for the caller to say. */
export async function verifyRegistration(
  issuer: string,
  challenge: string,
  answer: RegistrationAnswer,
): Promise<Result<Omit<NewCredential, "label" | "standing">, "refused">> {
  if (framed(answer.response.clientDataJSON)) return err("refused");
  const { rpId, origin } = relyingParty(issuer);
  const { verifyRegistrationResponse } = await library();
  try {
    const verified = await verifyRegistrationResponse({
      response: answer as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHM_IDS],
    });
    if (!verified.verified) return err("refused");
    const { credential, fmt } = verified.registrationInfo;
    const publicKey = await jwkOfCose(credential.publicKey);
    if (!publicKey.ok) return err("refused");
    return ok({
      credentialId: credential.id,
      publicKey: publicKey.value,
      rpId,
      origin,
      attestation: fmt,
      signCount: credential.counter,
      transports: answer.response.transports ?? [],
    });
  } catch {
    // The library throws for whatever does not fit; which check it was is nobody's business but a log's.
    return err("refused");
  }
}

/** Whether `answer` is this passkey's, for this challenge, with the person verified. Counters are judged by the caller. */
export async function verifyAnswer(
  issuer: string,
  challenge: string,
  answer: AssertionAnswer,
  row: CredentialRow,
): Promise<Result<{ readonly counter: number }, "refused">> {
  if (answer.id !== row.credential_id || framed(answer.response.clientDataJSON)) return err("refused");
  const { rpId, origin } = relyingParty(issuer);
  const { verifyAuthenticationResponse } = await library();
  const publicKey = await coseOfJwk(credentialOf(row).public_key);
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: row.credential_id,
        publicKey,
        // Judged by `judgeCounter`: the library would only throw.
        counter: 0,
      },
    });
    return verified ? ok({ counter: counterOf(answer.response.authenticatorData) }) : err("refused");
  } catch {
    return err("refused");
  }
}

/** A ceremony in a frame could be drawn over; the library lets it pass where no top origin is named. */
function framed(clientDataJson: string): boolean {
  const data = clientData(clientDataJson);
  if (data === undefined) return true;
  return (data["crossOrigin"] !== undefined && data["crossOrigin"] !== false) || data["topOrigin"] !== undefined;
}

function clientData(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = fromBase64Url(text);
  const json = bytes.ok ? parseJson(bytes.value) : undefined;
  return json?.ok && isJsonObject(json.value) ? json.value : undefined;
}

export function challengeText(challenge: Uint8Array): string {
  return toBase64Url(challenge);
}
