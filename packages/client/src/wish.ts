import { PROFILE_ID, type RequestEnvelope } from "@countersign/profile/agent-api";
import { digestOf, type JsonObject } from "@countersign/wire";

/** What an agent wants done: the request of the profile without what only names its sending. */
export type Wish = Omit<RequestEnvelope, "profile" | "request_id" | "idempotency_key" | "parameters"> & {
  readonly parameters: JsonObject;
  /** Names this wish, however often it is sent. Made from the wish when it is absent. */
  readonly idempotency_key?: string;
};

/**
 * The key of a wish that was given none: the same members make the same key, after a restart too. So whoever wants the
 * same thing twice says so, by a key of their own or by another `expires_at`.
 */
export async function derivedKey(wish: Wish): Promise<string> {
  const { account_ref, consent_ref, operation, parameters, expires_at } = wish;
  return `wish_${await digestOf({ account_ref, consent_ref, operation, parameters, expires_at })}`;
}

export function envelopeOf(wish: Wish, idempotencyKey: string): JsonObject {
  const { account_ref, consent_ref, operation, parameters, expires_at } = wish;
  return {
    profile: PROFILE_ID,
    request_id: `req_${randomName()}`,
    idempotency_key: idempotencyKey,
    account_ref,
    consent_ref,
    operation,
    parameters,
    expires_at,
  };
}

/** `crypto.randomUUID` is there on secure pages alone. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
