import { err, ok, type PublicJwk, type Result } from "@countersign/wire";
import { errors, importJWK, type JWTPayload, jwtVerify } from "jose";
import type { Db } from "../store/store.ts";
import { principalOf } from "./clients.ts";
import { AUTHORIZATION_HEADER_CHARS_MAX } from "./limits.ts";
import { AGENT_CLAIM, GRANT_CLAIM, TENANT_CLAIM } from "./names.ts";

/** One agent acting for one person, proven by an access token. */
export interface AccessTokenHolder {
  /** The agent's own reference, whatever client it is. */
  readonly clientId: string;
  readonly personId: string;
  readonly tenantId: string;
  readonly jti: string;
}

/**
 * `missing`: no header. `malformed`: no single Bearer token. `wrong_audience`: signed by us, meant for another API.
 * `revoked`: good when issued, but the agent or its OAuth grant has ended since. `invalid`: anything else.
 */
export type AccessTokenProblem = "missing" | "malformed" | "invalid" | "wrong_audience" | "expired" | "revoked";

export interface VerifyParts {
  readonly db: Db;
  readonly keys: readonly { readonly kid: string; readonly publicJwk: PublicJwk }[];
  readonly issuer: string;
  /** The audience of a token where nobody says another: the agents' API. */
  readonly resource: string;
  readonly now: () => number;
}

// RFC 6750 section 2.1; exactly one space, so that nothing can stand between scheme and token.
const BEARER = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The check of AUT-3 on an `Authorization` header: our key, our issuer, our API as the only audience, in time, and then
 * the rows as they are now, because a JWT outlives its revocation.
 */
export function accessTokenVerifier(
  parts: VerifyParts,
): (authorization: string | undefined, resource?: string) => Promise<Result<AccessTokenHolder, AccessTokenProblem>> {
  const keys = new Map(parts.keys.map((key) => [key.kid, importJWK({ ...key.publicJwk }, "ES256")]));
  return async (authorization, resource = parts.resource) => {
    if (authorization === undefined || authorization === "") return err("missing");
    if (authorization.length > AUTHORIZATION_HEADER_CHARS_MAX) return err("malformed");
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return err("malformed");
    const payload = await verifiedPayload(parts, keys, token);
    if (!payload.ok) return payload;
    const claims = readClaims(payload.value, resource);
    return claims.ok ? currentHolder(parts, claims.value) : claims;
  };
}

async function verifiedPayload(
  parts: VerifyParts,
  keys: ReadonlyMap<string, ReturnType<typeof importJWK>>,
  token: string,
): Promise<Result<JWTPayload, AccessTokenProblem>> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => keys.get(kid ?? "") ?? Promise.reject(new errors.JWKSNoMatchingKey()),
      {
        // RFC 9068 section 4, RFC 8725 section 3.1 and 3.11: one algorithm, one type, whatever the header proposes.
        algorithms: ["ES256"],
        typ: "at+jwt",
        issuer: parts.issuer,
        requiredClaims: ["exp", "iat", "jti", "sub", "client_id", TENANT_CLAIM, GRANT_CLAIM],
        currentDate: new Date(parts.now()),
      },
    );
    return ok(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return err("expired");
    if (error instanceof errors.JOSEError || error instanceof TypeError) return err("invalid");
    throw error;
  }
}

interface Claims {
  readonly agentId: string;
  readonly oauthClient: string;
  readonly subject: string;
  readonly tenantId: string;
  readonly grant: string;
  readonly jti: string;
}

function readClaims(payload: JWTPayload, resource: string): Result<Claims, AccessTokenProblem> {
  const { aud, cnf, sub, jti, client_id: clientId } = payload;
  // A token that is also good elsewhere can come back from there (lessons U50).
  const only = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (only !== resource) return err("wrong_audience");
  // Bound to a key whose proof is not here (RFC 9449 section 7.1): a thief would present it just so.
  if (cnf !== undefined) return err("invalid");
  const tenantId = payload[TENANT_CLAIM];
  const grant = payload[GRANT_CLAIM];
  if (typeof sub !== "string" || typeof jti !== "string" || typeof clientId !== "string") return err("invalid");
  if (typeof tenantId !== "string" || typeof grant !== "string") return err("invalid");
  const agentId = payload[AGENT_CLAIM] ?? clientId;
  if (typeof agentId !== "string") return err("invalid");
  return ok({ agentId, oauthClient: clientId, subject: sub, tenantId, grant, jti });
}

async function currentHolder(
  parts: VerifyParts,
  claims: Claims,
): Promise<Result<AccessTokenHolder, AccessTokenProblem>> {
  const principal = await principalOf(parts.db, claims.agentId);
  if (principal?.state !== "accepted") return err("revoked");
  if (principal.oauthClient !== claims.oauthClient) return err("invalid");
  if (principal.tenantId !== claims.tenantId || principal.pseudonym !== claims.subject) return err("invalid");
  const grant = await parts.db
    .selectFrom("oauth_record")
    .select("id")
    .where("model", "=", "Grant")
    .where("id", "=", claims.grant)
    .where("expires_at", ">", parts.now())
    .executeTakeFirst();
  if (grant === undefined) return err("revoked");
  return ok({ clientId: claims.agentId, personId: principal.personId, tenantId: principal.tenantId, jti: claims.jti });
}
