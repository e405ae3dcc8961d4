import {
  canonicalJson,
  err,
  fromBase64Url,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  parseJson,
  type Result,
  toBase64Url,
} from "@countersign/wire";
import { KEYS_MAX, PROTECTED_HEADER_CHARS_MAX } from "./limits.ts";
import type { ParsedCard } from "./parse.ts";
import { type CardProblem, cardProblem } from "./problem.ts";
import { reduceCard } from "./reduce.ts";
import type { CardSignature } from "./shape.ts";

/** Where keys for cards come from. */
export interface CardKeys {
  /** Public JWKs that the operator entered. */
  readonly configured: readonly JsonObject[];
  /** The key set at a `jku` that may be asked; none for every other address. */
  at(jku: string): Promise<readonly JsonObject[]>;
}

export interface SignedCard {
  /** The signing key: RFC 7638's members of it, to tell keys apart. */
  readonly key: string;
  /** What the signature does not cover. */
  readonly uncovered: readonly string[];
}

interface Algorithm {
  readonly takes: (jwk: JsonObject) => boolean;
  readonly members: readonly string[];
  readonly importing: EcKeyImportParams | { readonly name: string };
  readonly verifying: EcdsaParams | { readonly name: string };
  readonly bytes: number;
}

const ED25519: Algorithm = {
  takes: (jwk) => jwk["kty"] === "OKP" && jwk["crv"] === "Ed25519",
  members: ["crv", "kty", "x"],
  importing: { name: "Ed25519" },
  verifying: { name: "Ed25519" },
  bytes: 64,
};

/** The algorithms that count, whatever a header proposes: neither `none` nor any with a shared secret is among them. */
const ALGORITHMS: ReadonlyMap<Json | undefined, Algorithm> = new Map([
  [
    "ES256",
    {
      takes: (jwk: JsonObject) => jwk["kty"] === "EC" && jwk["crv"] === "P-256",
      members: ["crv", "kty", "x", "y"],
      importing: { name: "ECDSA", namedCurve: "P-256" },
      verifying: { name: "ECDSA", hash: "SHA-256" },
      bytes: 64,
    },
  ],
  ["EdDSA", ED25519],
  ["Ed25519", ED25519],
]);

/**
 * Whether one signature of the card is by a trusted key (a2a.md section 7). Two readings of the canonical form are tried:
 * the card exactly as it came, and the card without what is empty. What the second does not cover is told.
 */
export async function verifyCard(parsed: ParsedCard, keys: CardKeys): Promise<Result<SignedCard, CardProblem>> {
  const { signatures } = parsed.card;
  if (signatures.length === 0) return err(cardProblem("unsigned"));
  const { signatures: _, ...unsigned } = parsed.raw;
  const reduced = reduceCard(unsigned);
  const readings = [
    { payload: canonicalJson(unsigned), uncovered: [] },
    { payload: canonicalJson(reduced.value), uncovered: reduced.dropped },
  ];
  for (const signature of signatures) {
    const header = readHeader(signature);
    if (header === undefined) continue;
    for (const jwk of await candidates(header, keys)) {
      for (const { payload, uncovered } of readings) {
        if (await holds(signature, header, jwk, payload)) return ok({ key: keyName(header.algorithm, jwk), uncovered });
      }
    }
  }
  return err(cardProblem("bad_signature"));
}

interface Header {
  readonly alg: string;
  readonly algorithm: Algorithm;
  readonly kid: string | undefined;
  readonly jku: string | undefined;
}

/** Undefined for a header that is not understood to the last member that decides about the signature. */
function readHeader(signature: CardSignature): Header | undefined {
  if (signature.protected.length > PROTECTED_HEADER_CHARS_MAX) return undefined;
  const bytes = fromBase64Url(signature.protected);
  const parsed = bytes.ok ? parseJson(bytes.value) : undefined;
  if (!parsed?.ok || !isJsonObject(parsed.value)) return undefined;
  const { alg, kid, jku, typ } = parsed.value;
  const algorithm = ALGORITHMS.get(alg);
  if (algorithm === undefined || typeof alg !== "string") return undefined;
  // RFC 7515 4.1.11 and RFC 7797: an extension that is not understood, or another payload than the one looked at.
  if ("crit" in parsed.value || "b64" in parsed.value) return undefined;
  if (typ !== undefined && (typeof typ !== "string" || typ.toUpperCase() !== "JOSE")) return undefined;
  if ((kid !== undefined && typeof kid !== "string") || (jku !== undefined && typeof jku !== "string"))
    return undefined;
  // RFC 7515 section 4: the two headers share no name, and what is not protected decides nothing here.
  const named = new Set(Object.keys(parsed.value));
  const unprotected = Object.keys(signature.header ?? {});
  if (unprotected.some((name) => named.has(name) || DECIDING.has(name))) return undefined;
  return { alg, algorithm, kid, jku };
}

const DECIDING: ReadonlySet<string> = new Set(["alg", "crit", "b64", "jku", "jwk", "x5u", "x5c", "kid"]);

/** The keys to try; `kid` is a hint, so it orders them and excludes none. */
async function candidates({ alg, algorithm, kid, jku }: Header, keys: CardKeys): Promise<readonly JsonObject[]> {
  const all = [...keys.configured, ...(jku === undefined ? [] : await keys.at(jku))];
  const fitting = all.filter((jwk) => algorithm.takes(jwk) && !isPrivate(jwk) && isForSigning(jwk, alg, algorithm));
  const named = fitting.filter((jwk) => kid !== undefined && jwk["kid"] === kid);
  return [...named, ...fitting.filter((jwk) => !named.includes(jwk))].slice(0, KEYS_MAX);
}

function isForSigning(jwk: JsonObject, alg: string, algorithm: Algorithm): boolean {
  const { use, alg: own, key_ops: operations } = jwk;
  if (use !== undefined && use !== "sig") return false;
  if (Array.isArray(operations) && !operations.includes("verify")) return false;
  return own === undefined || own === alg || ALGORITHMS.get(own) === algorithm;
}

/** A key whose private part is published is anybody's. */
function isPrivate(jwk: JsonObject): boolean {
  return "d" in jwk || "k" in jwk;
}

async function holds(signature: CardSignature, header: Header, jwk: JsonObject, payload: string): Promise<boolean> {
  const { algorithm } = header;
  const bytes = fromBase64Url(signature.signature);
  if (!bytes.ok || bytes.value.length !== algorithm.bytes) return false;
  const input = `${signature.protected}.${toBase64Url(new TextEncoder().encode(payload))}`;
  try {
    const only = Object.fromEntries(algorithm.members.map((name) => [name, jwk[name]]));
    const key = await crypto.subtle.importKey("jwk", only as JsonWebKey, algorithm.importing, false, ["verify"]);
    return await crypto.subtle.verify(algorithm.verifying, key, bytes.value, new TextEncoder().encode(input));
  } catch {
    // Not a key of its kind: it has made no signature.
    return false;
  }
}

function keyName(algorithm: Algorithm, jwk: JsonObject): string {
  return canonicalJson(Object.fromEntries(algorithm.members.map((name) => [name, jwk[name] ?? null])));
}
