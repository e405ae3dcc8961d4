import type { BindingKeys } from "@countersign/gateway";
import { canonicalJson, type JsonObject, toBase64Url } from "@countersign/wire";

/**
 * The card with its signature: JWS (RFC 7515) with the payload left out, over the RFC 8785 form of the card without
 * `signatures`. What is signed is what is served, member for member.
 */
export async function signCard(card: JsonObject, keys: BindingKeys, jku: string): Promise<JsonObject> {
  const { signatures: _before, ...unsigned } = card;
  const encode = (text: string) => toBase64Url(new TextEncoder().encode(text));
  const header = encode(canonicalJson({ alg: "ES256", jku, kid: keys.kid, typ: "JOSE" }));
  const input = `${header}.${encode(canonicalJson(unsigned))}`;
  const signature = toBase64Url(await keys.sign(new TextEncoder().encode(input)));
  return { ...unsigned, signatures: [{ protected: header, signature }] };
}

/** The public keys as a JWK Set (RFC 7517): the signing one first, then those before it that still verify. */
export function keySet(keys: BindingKeys): JsonObject {
  return {
    keys: keys.published.map(({ kid, jwk }): JsonObject => ({ ...jwk, kid, alg: "ES256", use: "sig" })),
  };
}
