import { err, isJsonObject, type Json, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import { agentUrl } from "../agent/url.ts";
import { DOCUMENT_MAX_BYTES } from "../limits.ts";
import type { PlainHttp } from "../profile.ts";
import { type KeySet, keySetOf } from "./document.ts";

/** What an agent says of itself in its card. No signature makes any of it true: show it as a claim or not at all. */
export interface CardClaims {
  readonly name?: string;
  readonly expectedUserAgent?: string;
  readonly productToken?: string;
  /** Whether it says that it follows robots files. */
  readonly followsRobots: boolean;
  readonly trigger?: "fetcher" | "crawler";
  readonly purpose?: string;
}

/** A Client ID Metadata Document of an agent: its keys, or where they are. */
export interface Card {
  readonly clientId: string;
  readonly keys: { readonly kind: "inline"; readonly set: KeySet } | { readonly kind: "at"; readonly url: string };
  readonly claims: CardClaims;
}

export type CardProblem = "malformed" | "client_id_mismatch" | "both_key_sources" | "no_key_source" | "bad_jwks_uri";

/** `retrievedFrom` and `client_id` are the same text, letter for letter; there is exactly one source of keys. */
export async function readCard(
  bytes: Uint8Array | string,
  retrievedFrom: string,
  plainHttp: PlainHttp = "refused",
): Promise<Result<Card, CardProblem>> {
  const parsed = parseJson(bytes, { maxBytes: DOCUMENT_MAX_BYTES });
  if (!parsed.ok || !isJsonObject(parsed.value)) return err("malformed");
  const card = parsed.value;
  const clientId = card["client_id"];
  if (typeof clientId !== "string" || clientId !== retrievedFrom) return err("client_id_mismatch");
  const keys = await keysOf(card, plainHttp);
  return keys.ok ? ok({ clientId, keys: keys.value, claims: claimsOf(card) }) : keys;
}

async function keysOf(card: JsonObject, plainHttp: PlainHttp): Promise<Result<Card["keys"], CardProblem>> {
  const { jwks, jwks_uri: at } = card;
  if (jwks !== undefined && at !== undefined) return err("both_key_sources");
  if (jwks !== undefined) {
    const set = await keySetOf(jwks, { kid: "free" });
    return set.ok ? ok({ kind: "inline", set: set.value }) : err("malformed");
  }
  if (at === undefined) return err("no_key_source");
  if (typeof at !== "string" || !agentUrl(at, plainHttp).ok) return err("bad_jwks_uri");
  return ok({ kind: "at", url: at });
}

function claimsOf(card: JsonObject): CardClaims {
  const given = card["web_bot_auth"];
  const about: JsonObject = given !== undefined && isJsonObject(given) ? given : {};
  const trigger = about["trigger"];
  return {
    ...textAs("name", card["client_name"]),
    ...textAs("expectedUserAgent", about["expected-user-agent"]),
    ...textAs("productToken", about["rfc9309-product-token"]),
    ...textAs("purpose", about["purpose"]),
    followsRobots: isCompliance(about["rfc9309-compliance"]),
    ...(trigger === "fetcher" || trigger === "crawler" ? { trigger } : {}),
  };
}

/** A boolean today; a list of what is followed in earlier drafts. */
function isCompliance(value: Json | undefined): boolean {
  return value === true || (Array.isArray(value) && value.length > 0);
}

function textAs<N extends string>(name: N, value: Json | undefined): { readonly [K in N]?: string } {
  return typeof value === "string" ? ({ [name]: value } as { readonly [K in N]?: string }) : {};
}
