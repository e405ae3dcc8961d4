import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { canonicalJson } from "./canonical.ts";
import { parseRecord } from "./json.ts";
import type { JsonObject, JsonProblem } from "./json-scan.ts";
import { importPublicKey, type JwkLike, thumbprint } from "./jwk.ts";
import { JWS_OVERHEAD_MAX_CHARS, RECORD_MAX_BYTES } from "./limits.ts";
import { checkRecord } from "./record.ts";
import { assert, err, ok, type Result } from "./result.ts";

/** Exactly these members (approval-evidence.md section 3). */
export interface JwsHeader {
  readonly alg: "ES256";
  /** RFC 7638 thumbprint of the signing key. */
  readonly kid: string;
  /** `countersign-<kind>+jws` */
  readonly typ: string;
}

/** A JWS that has the right form. Nothing about it is true before {@link verifyJws} says so. */
export interface ParsedJws {
  readonly header: JwsHeader;
  /** `approval`, `receipt`, `credential`, `keys`, ...: out of the header, and equal to the payload's `typ`. */
  readonly kind: string;
  readonly payload: JsonObject;
  readonly signingInput: Uint8Array;
  /** 64 bytes, r and s. */
  readonly signature: Uint8Array;
}

/**
 * `bad_payload` carries the record problem. `not_canonical`: header or payload are not spelled as RFC 8785 does.
 * `kind_mismatch`: header and payload name different kinds of record.
 */
export type JwsProblem =
  | { readonly code: "too_large" | "malformed" | "bad_header" | "not_canonical" | "kind_mismatch" | "bad_signature" }
  | { readonly code: "bad_payload"; readonly problem: JsonProblem };

/** Payload limit in bytes; 16 KiB unless the kind of record is known to be larger (key sets). */
export interface JwsLimits {
  readonly maxPayloadBytes?: number;
}

const KIND = /^[a-z][a-z0-9_]*$/;
const HEADER_TYP = /^countersign-([a-z][a-z0-9_]*)\+jws$/;
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;
const SIGNATURE_BYTES = 64;

/**
 * Signs `payload` as a record of `kind`. `sign` makes 64 bytes r||s over the given bytes (`signerOf(key)`, or an HSM).
 * @throws AssertionFailed when the payload is no record of this kind or the signer answers something else.
 */
export async function signJws(
  request: {
    readonly kind: string;
    readonly payload: JsonObject;
    readonly kid: string;
    readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
  },
  limits: JwsLimits = {},
): Promise<string> {
  const { kind, payload, kid, sign } = request;
  assert(KIND.test(kind), "signJws: a kind that is no name");
  assert(THUMBPRINT.test(kid), "signJws: a kid that is no thumbprint");
  assert(checkRecord(payload, { maxBytes: limits.maxPayloadBytes ?? RECORD_MAX_BYTES }).ok, "signJws: not a record");
  assert(payloadKind(payload) === kind, "signJws: the payload's typ is of another kind");
  const header = canonicalJson({ alg: "ES256", kid, typ: `countersign-${kind}+jws` });
  const input = `${encodeText(header)}.${encodeText(canonicalJson(payload))}`;
  const signature = await sign(new TextEncoder().encode(input));
  assert(signature.length === SIGNATURE_BYTES, "signJws: the signer did not answer 64 bytes");
  return `${input}.${toBase64Url(signature)}`;
}

/** Reads a compact JWS of our form and checks everything but the signature. Never throws on what somebody sent. */
export function parseJws(text: string, limits: JwsLimits = {}): Result<ParsedJws, JwsProblem> {
  const maxPayloadBytes = limits.maxPayloadBytes ?? RECORD_MAX_BYTES;
  if (text.length > Math.ceil((maxPayloadBytes * 4) / 3) + JWS_OVERHEAD_MAX_CHARS) return err({ code: "too_large" });
  const [headerText = "", payloadText = "", signatureText = "", ...rest] = text.split(".");
  const headerBytes = fromBase64Url(headerText);
  const payloadBytes = fromBase64Url(payloadText);
  const signature = fromBase64Url(signatureText);
  if (rest.length > 0 || !headerBytes.ok || !payloadBytes.ok || !signature.ok) return err({ code: "malformed" });
  if (signature.value.length !== SIGNATURE_BYTES) return err({ code: "bad_signature" });

  const header = parseHeader(headerBytes.value);
  if (!header) return err({ code: "bad_header" });
  const payload = parseRecord(payloadBytes.value, { maxBytes: maxPayloadBytes });
  if (!payload.ok) return err({ code: "bad_payload", problem: payload.reason });
  const { alg, kid, typ } = header;
  if (encodeText(canonicalJson({ alg, kid, typ })) !== headerText) return err({ code: "not_canonical" });
  if (encodeText(canonicalJson(payload.value)) !== payloadText) return err({ code: "not_canonical" });
  const kind = HEADER_TYP.exec(typ)?.[1] ?? "";
  if (payloadKind(payload.value) !== kind) return err({ code: "kind_mismatch" });
  const signingInput = new TextEncoder().encode(`${headerText}.${payloadText}`);
  return ok({ header, kind, payload: payload.value, signingInput, signature: signature.value });
}

/**
 * Whether `publicJwk` made the signature. Also false when the key is not ES256 or is not the one `kid` names. That the
 * key may sign this kind of record at that time is the caller's to check (role, validity).
 */
export async function verifyJws(parsed: ParsedJws, publicJwk: JwkLike): Promise<boolean> {
  const key = await importPublicKey(publicJwk);
  if (!key.ok || (await thumbprint(publicJwk)) !== parsed.header.kid) return false;
  return crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    key.value,
    new Uint8Array(parsed.signature),
    new Uint8Array(parsed.signingInput),
  );
}

function parseHeader(bytes: Uint8Array): JwsHeader | undefined {
  const parsed = parseRecord(bytes, { maxBytes: JWS_OVERHEAD_MAX_CHARS });
  if (!parsed.ok) return undefined;
  const { alg, kid, typ, ...others } = parsed.value;
  if (Object.keys(others).length > 0 || alg !== "ES256") return undefined;
  if (typeof kid !== "string" || !THUMBPRINT.test(kid)) return undefined;
  return typeof typ === "string" && HEADER_TYP.test(typ) ? { alg, kid, typ } : undefined;
}

/** `approval` for a payload of `countersign.approval/1`; the number after it is for the reader of that record. */
function payloadKind(payload: JsonObject): string | undefined {
  const { typ } = payload;
  return typeof typ === "string" ? /^countersign\.([a-z][a-z0-9_]*)\/[1-9][0-9]*$/.exec(typ)?.[1] : undefined;
}

function encodeText(text: string): string {
  return toBase64Url(new TextEncoder().encode(text));
}
