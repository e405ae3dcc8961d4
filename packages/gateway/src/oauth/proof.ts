import { createHash } from "node:crypto";
import { err, ok, type Result } from "@countersign/wire";
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from "jose";
import { tokenHash } from "../ids.ts";
import { type Db, isUniqueViolation } from "../store/store.ts";
import { PROOF_CHARS_MAX, PROOF_ID_CHARS_MAX, PROOF_SECONDS } from "./limits.ts";
import { PROOF_ALGORITHMS } from "./names.ts";

/** What a request shows beside a token that is bound to a key (RFC 9449), and what the request is. */
export interface PresentedProof {
  /** The `DPoP` header as it came; several are none. */
  readonly header: string | undefined;
  readonly method: string;
  /** Our origin and the path, without a query. */
  readonly url: string;
}

const PROOF_MODEL = "ResourceProof";

/**
 * Judges a proof: made with the key that the token names, for this token and this request, just now, and never shown
 * before. The first use is the one that inserts its row, so of two at the same moment one wins.
 */
export async function judgeProof(
  parts: { readonly db: Db; readonly now: () => number },
  proof: PresentedProof,
  token: { readonly text: string; readonly thumbprint: string },
): Promise<Result<undefined, "invalid">> {
  const { header } = proof;
  if (header === undefined || header.length > PROOF_CHARS_MAX) return err("invalid");
  const read = await readProof(header);
  if (read === undefined || read.thumbprint !== token.thumbprint) return err("invalid");
  const { htm, htu, ath, iat, jti } = read.payload;
  if (htm !== proof.method || typeof htu !== "string" || withoutQuery(htu) !== proof.url) return err("invalid");
  if (ath !== createHash("sha256").update(token.text, "ascii").digest("base64url")) return err("invalid");
  const seconds = parts.now() / 1000;
  if (typeof iat !== "number" || Math.abs(seconds - iat) > PROOF_SECONDS) return err("invalid");
  if (typeof jti !== "string" || jti === "" || jti.length > PROOF_ID_CHARS_MAX) return err("invalid");
  const row = {
    model: PROOF_MODEL,
    id: tokenHash(`${read.thumbprint} ${jti}`),
    grant_id: null,
    uid: null,
    user_code: null,
    sealed: new Uint8Array(),
    // It could be shown again until the newest time that it may carry has passed.
    expires_at: parts.now() + 2 * PROOF_SECONDS * 1000,
    consumed_at: null,
  };
  try {
    await parts.db.insertInto("oauth_record").values(row).execute();
  } catch (error) {
    if (isUniqueViolation(error)) return err("invalid");
    throw error;
  }
  return ok(undefined);
}

async function readProof(
  text: string,
): Promise<{ readonly payload: JWTPayload; readonly thumbprint: string } | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(text, EmbeddedJWK, {
      algorithms: [...PROOF_ALGORITHMS],
      typ: "dpop+jwt",
      // The times are judged by the gateway's clock; none of these may decide here.
      currentDate: new Date(0),
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    if (protectedHeader.jwk === undefined) return undefined;
    return { payload, thumbprint: await calculateJwkThumbprint(protectedHeader.jwk) };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function withoutQuery(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null ? undefined : `${url.origin}${url.pathname}`;
}
