import { err, ok, type PublicJwk, type Result } from "@countersign/wire";
import { errors, importJWK, type JWTPayload, jwtVerify } from "jose";
import type { Db } from "../store/store.ts";
import { principalOf } from "./clients.ts";
import { AUTHORIZATION_HEADER_CHARS_MAX } from "./limits.ts";
import { AGENT_CLAIM, GRANT_CLAIM, TENANT_CLAIM } from "./names.ts";
import { judgeProof, type PresentedProof } from "./proof.ts";

/** One agent acting for one person, proven by an access token. */
export interface AccessTokenHolder {
  /** The agent's own reference, whatever client it is. */
  readonly clientId: string;
  readonly personId: string;
  readonly tenantId: string;
  readonly jti: string;
}

/**
 * `missing`: no header. `malformed`: no single token. `wrong_audience`: signed by us, meant for another API.
 * `revoked`: good when issued, but the agent or its OAuth grant has ended since. `invalid`: anything else. Of an outside
 * issuer alone: `not_accepted`, the person has not said yes to its client; `unavailable`, its keys cannot be fetched.
 */
export type AccessTokenProblem =
  | "missing"
  | "malformed"
  | "invalid"
  | "wrong_audience"
  | "expired"
  | "revoked"
  | "not_accepted"
  | "unavailable";

export interface VerifyParts {
  readonly db: Db;
  readonly keys: readonly { readonly kid: string; readonly publicJwk: PublicJwk }[];
  readonly issuer: string;
  /** The audience of a token where nobody says another: the agents' API. */
  readonly resource: string;
  readonly now: () => number;
}

// RFC 6750 section 2.1, RFC 9449 section 7.1; exactly one space, so that nothing can stand between scheme and token.
const SCHEME = /^(Bearer|DPoP) ([A-Za-z0-9\-._~+/]+=*)$/i;

/** `judged`: the proof of this very request was taken before; its token is looked at again. */
export type Proof = PresentedProof | "judged";

/**
 * The check of AUT-3 on an `Authorization` header: our key, our issuer, our API as the only audience, in time, and then
 * the rows as they are now, because a JWT outlives its revocation.
 */
export function accessTokenVerifier(
  parts: VerifyParts,
): (
  authorization: string | undefined,
  resource?: string,
  proof?: Proof,
) => Promise<Result<AccessTokenHolder, AccessTokenProblem>> {
  const keys = new Map(parts.keys.map((key) => [key.kid, importJWK({ ...key.publicJwk }, "ES256")]));
  return async (authorization, resource = parts.resource, proof) => {
    const presented = presentedToken(authorization);
    if (!presented.ok) return presented;
    const { scheme, token } = presented.value;
    const payload = await verifiedPayload(parts, keys, token);
    if (!payload.ok) return payload;
    const claims = readClaims(payload.value, resource);
    if (!claims.ok) return claims;
    const { thumbprint } = claims.value;
    // A bound token without its proof is what a thief would show; a proof for an unbound one proves nothing.
    if ((thumbprint !== undefined) !== (scheme === "dpop")) return err("invalid");
    const holder = await currentHolder(parts, claims.value);
    if (!holder.ok || thumbprint === undefined || proof === "judged") return holder;
    if (proof === undefined) return err("invalid");
    const judged = await judgeProof(parts, proof, { text: token, thumbprint });
    return judged.ok ? holder : judged;
  };
}

/** The one token of a header. */
export function presentedToken(
  authorization: string | undefined,
): Result<{ readonly scheme: "bearer" | "dpop"; readonly token: string }, "missing" | "malformed"> {
  if (authorization === undefined || authorization === "") return err("missing");
  if (authorization.length > AUTHORIZATION_HEADER_CHARS_MAX) return err("malformed");
  const [, scheme, token] = SCHEME.exec(authorization) ?? [];
  if (scheme === undefined || token === undefined) return err("malformed");
  return ok({ scheme: scheme.toLowerCase() === "dpop" ? "dpop" : "bearer", token });
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
  /** Of the key that the token is bound to. */
  readonly thumbprint: string | undefined;
}

/** The one binding that is understood here (RFC 9449 section 6); another one is no binding at all. */
export function thumbprintOf(cnf: unknown): string | undefined {
  if (typeof cnf !== "object" || cnf === null || !("jkt" in cnf) || Object.keys(cnf).length !== 1) return undefined;
  return typeof cnf.jkt === "string" ? cnf.jkt : undefined;
}

function readClaims(payload: JWTPayload, resource: string): Result<Claims, AccessTokenProblem> {
  const { aud, cnf, sub, jti, client_id: clientId } = payload;
  // A token that is also good elsewhere can come back from there (lessons U50).
  const only = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (only !== resource) return err("wrong_audience");
  const thumbprint = cnf === undefined ? undefined : thumbprintOf(cnf);
  if (cnf !== undefined && thumbprint === undefined) return err("invalid");
  const tenantId = payload[TENANT_CLAIM];
  const grant = payload[GRANT_CLAIM];
  if (typeof sub !== "string" || typeof jti !== "string" || typeof clientId !== "string") return err("invalid");
  if (typeof tenantId !== "string" || typeof grant !== "string") return err("invalid");
  const agentId = payload[AGENT_CLAIM] ?? clientId;
  if (typeof agentId !== "string") return err("invalid");
  return ok({ agentId, oauthClient: clientId, subject: sub, tenantId, grant, jti, thumbprint });
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
