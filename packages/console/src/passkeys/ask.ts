import type { ApprovalDecision } from "@countersign/gateway/trusted-contract";
import { err, ok, type Result } from "@countersign/wire";
import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";

/**
 * The three things that a page asks of the person's passkey. What the authenticator shows is the browser's own window;
 * what it signs is the challenge that we give, and for an approval that is the record's digest and nothing else.
 */

/**
 * Why no answer came of it. `dismissed`: the person closed the window, waited too long, or has none of these passkeys
 * here (browsers do not say which). `unsupported`: this browser or this address cannot use passkeys at all.
 */
export type PasskeyTrouble = "unsupported" | "dismissed" | "already_here" | "failed";

const ASK_MS = 120_000;

/** Passkeys need the browser's support and a secure page (https, or localhost). */
export function canUsePasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === "function" && globalThis.isSecureContext;
}

type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];

/**
 * The `passkey` member of an approval: an assertion over `actionDigest` with one of `credentialIds`, the person verified
 * by their device. The digest is the one that the page computed from what it drew.
 */
export async function approveByPasskey(
  actionDigest: string,
  credentialIds: readonly string[],
): Promise<Result<NonNullable<ApprovalDecision["passkey"]>, PasskeyTrouble>> {
  const answer = await askPasskey({
    challenge: actionDigest,
    rpId: location.hostname,
    allowCredentials: credentialIds.map((id) => ({ id, type: "public-key" })),
    userVerification: "required",
    timeout: ASK_MS,
  });
  if (!answer.ok) return answer;
  const { id, response } = answer.value;
  return ok({
    credential_id: id,
    authenticator_data: response.authenticatorData,
    client_data_json: response.clientDataJSON,
    signature: response.signature,
  });
}

/** Asks for an answer to the gateway's own challenge: to sign in, or to confirm another passkey. */
export async function askPasskey(
  options: object,
): Promise<Result<Awaited<ReturnType<typeof startAuthentication>>, PasskeyTrouble>> {
  if (!canUsePasskeys()) return err("unsupported");
  try {
    return ok(await startAuthentication({ optionsJSON: options as RequestOptions }));
  } catch (error) {
    return err(troubleOf(error));
  }
}

/** Makes a passkey on this device, or on one that the browser offers. */
export async function makePasskey(
  options: object,
): Promise<Result<Awaited<ReturnType<typeof startRegistration>>, PasskeyTrouble>> {
  if (!canUsePasskeys()) return err("unsupported");
  try {
    return ok(await startRegistration({ optionsJSON: options as CreationOptions }));
  } catch (error) {
    return err(troubleOf(error));
  }
}

function troubleOf(error: unknown): PasskeyTrouble {
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return "already_here";
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return "dismissed";
  return name === "NotSupportedError" || name === "SecurityError" ? "unsupported" : "failed";
}
