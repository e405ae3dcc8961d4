import { err, isJsonObject, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import { compactVerify, type FlattenedJWSInput, type JWSHeaderParameters } from "jose";
import { ID_TOKEN_MAX_CHARS, SKEW_S } from "../limits.ts";

export type IdTokenProblem =
  | "malformed"
  | "wrong_type"
  | "unsupported_algorithm"
  | "unknown_key"
  | "bad_signature"
  | "expired"
  | "issued_ahead"
  | "other_issuer"
  | "other_audience";

/** What the scheme says of the consumer. Phone and e-mail are obfuscated; the masks are for showing. */
export interface SchemeConsumer {
  readonly subject: string;
  readonly issuer: string;
  readonly expiresS: number;
  readonly claims: JsonObject;
}

export interface IdTokenTrust {
  /** The scheme's keys, never the agent's: PS256 is preferred, RS256 read, nothing else. */
  readonly keyFor: (kid: string) => Promise<CryptoKey | undefined>;
  readonly issuers: readonly string[];
  /** This merchant, as the scheme writes it. How that is has not been published, so it has no default. */
  readonly audience: string;
  readonly now?: () => number;
}

const ALGORITHMS = ["PS256", "RS256"];
const TYPE = "JWT+ext.id_token";

/** Verifies the token in `agenticConsumer.idToken`. */
export async function verifyIdToken(
  token: string,
  trust: IdTokenTrust,
): Promise<Result<SchemeConsumer, IdTokenProblem>> {
  if (token.length > ID_TOKEN_MAX_CHARS) return err("malformed");
  const header = headerOf(token);
  if (header === undefined) return err("malformed");
  if (typeof header["alg"] !== "string" || !ALGORITHMS.includes(header["alg"])) return err("unsupported_algorithm");
  if (header["typ"] !== TYPE) return err("wrong_type");
  const kid = header["kid"];
  if (typeof kid !== "string") return err("malformed");
  const key = await trust.keyFor(kid);
  if (key === undefined) return err("unknown_key");
  const payload = await payloadOf(token, key);
  return payload === undefined ? err("bad_signature") : judge(payload, trust);
}

function judge(payload: JsonObject, trust: IdTokenTrust): Result<SchemeConsumer, IdTokenProblem> {
  const nowS = (trust.now ?? Date.now)() / 1000;
  const { iss, sub, aud, exp, iat } = payload;
  if (typeof sub !== "string" || typeof iss !== "string") return err("malformed");
  if (typeof exp !== "number" || typeof iat !== "number") return err("malformed");
  // Not on or after: without allowance.
  if (nowS >= exp) return err("expired");
  if (iat > nowS + SKEW_S) return err("issued_ahead");
  if (!trust.issuers.includes(iss)) return err("other_issuer");
  if (aud !== trust.audience && !(Array.isArray(aud) && aud.includes(trust.audience))) return err("other_audience");
  return ok({ subject: sub, issuer: iss, expiresS: exp, claims: payload });
}

function headerOf(token: string): JsonObject | undefined {
  const [first = "", ...rest] = token.split(".");
  if (rest.length !== 2) return undefined;
  try {
    const parsed = parseJson(atob(first.replaceAll("-", "+").replaceAll("_", "/")));
    return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

async function payloadOf(token: string, key: CryptoKey): Promise<JsonObject | undefined> {
  try {
    const { payload } = await compactVerify(token, (_header: JWSHeaderParameters, _input: FlattenedJWSInput) => key, {
      algorithms: ALGORITHMS,
    });
    const parsed = parseJson(payload);
    return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}
