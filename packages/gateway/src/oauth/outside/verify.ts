import { err, ok, type Result } from "@countersign/wire";
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Core, Owner } from "../../core.ts";
import { findPerson, firstPerson } from "../../people/people.ts";
import { OUTSIDE_CLIENT_CHARS_MAX } from "../limits.ts";
import { API_SCOPE } from "../names.ts";
import { judgeProof } from "../proof.ts";
import {
  type AccessTokenHolder,
  type AccessTokenProblem,
  type Proof,
  presentedToken,
  thumbprintOf,
} from "../verify.ts";
import { outsideAgent, outsideClient } from "./agent.ts";
import type { IssuerKeys } from "./issuer-keys.ts";
import type { OutsideIssuerSetting } from "./setting.ts";

/** Signatures with a public key; never one that whoever can check it can also make. */
const ALGORITHMS = ["ES256", "ES384", "EdDSA", "Ed25519", "PS256", "RS256"];

export interface OutsideParts {
  readonly core: Core;
  readonly setting: OutsideIssuerSetting;
  readonly keys: IssuerKeys;
  /** The audience of a token where nobody says another: the agents' API. */
  readonly resource: string;
}

/**
 * The check of AUT-3 on access tokens of an outside issuer (RFC 9068): its key, its name, our resource as the only
 * audience, our scope, in time, for a subject that the operator named. Who its client is here and whether it may act is
 * the person's answer and ours: the agent's row, and consents. No claim of the token gives a grant.
 */
export function outsideTokenVerifier(
  parts: OutsideParts,
): (
  authorization: string | undefined,
  resource?: string,
  proof?: Proof,
) => Promise<Result<AccessTokenHolder, AccessTokenProblem>> {
  const { core, setting } = parts;
  return async (authorization, resource = parts.resource, proof) => {
    const presented = presentedToken(authorization);
    if (!presented.ok) return presented;
    const keys = await parts.keys.get();
    if (!keys.ok) return err("unavailable");
    const { scheme, token } = presented.value;
    const payload = await verified(parts, keys.value, token);
    if (!payload.ok) return payload;
    const claims = readClaims(payload.value, resource);
    if (!claims.ok) return claims;
    const { thumbprint, subject, clientId, jti } = claims.value;
    if ((thumbprint !== undefined) !== (scheme === "dpop")) return err("invalid");
    const owner = await ownerOf(core, setting, subject);
    if (owner === undefined) return err("invalid");
    if (thumbprint !== undefined && proof !== "judged") {
      if (proof === undefined) return err("invalid");
      const judged = await judgeProof({ db: core.store.db, now: core.now }, proof, { text: token, thumbprint });
      if (!judged.ok) return judged;
    }
    const agent = await outsideAgent(core, owner, outsideClient(setting.issuer, clientId));
    return agent === undefined ? err("not_accepted") : ok({ clientId: agent, ...owner, jti });
  };
}

async function verified(
  { core, setting }: OutsideParts,
  keys: JWTVerifyGetKey,
  token: string,
): Promise<Result<JWTPayload, AccessTokenProblem>> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      typ: "at+jwt",
      issuer: setting.issuer,
      requiredClaims: ["exp", "iat", "jti", "sub", "client_id"],
      currentDate: new Date(core.now()),
    });
    return ok(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return err("expired");
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) return err("unavailable");
    return err("invalid");
  }
}

interface Claims {
  readonly subject: string;
  readonly clientId: string;
  readonly jti: string;
  readonly thumbprint: string | undefined;
}

function readClaims(payload: JWTPayload, resource: string): Result<Claims, AccessTokenProblem> {
  const { aud, cnf, sub, jti, scope, client_id: clientId } = payload;
  const only = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (only !== resource) return err("wrong_audience");
  const thumbprint = cnf === undefined ? undefined : thumbprintOf(cnf);
  if (cnf !== undefined && thumbprint === undefined) return err("invalid");
  if (typeof scope !== "string" || !scope.split(" ").includes(API_SCOPE)) return err("invalid");
  if (typeof sub !== "string" || typeof jti !== "string" || typeof clientId !== "string") return err("invalid");
  if (clientId === "" || clientId.includes(" ") || clientId.length > OUTSIDE_CLIENT_CHARS_MAX) return err("invalid");
  return ok({ subject: sub, clientId, jti, thumbprint });
}

async function ownerOf(core: Core, setting: OutsideIssuerSetting, subject: string): Promise<Owner | undefined> {
  const named = setting.subjects.find((one) => one.subject === subject);
  if (named === undefined) return undefined;
  return named.personId === undefined ? firstPerson(core) : findPerson(core, named.personId);
}
