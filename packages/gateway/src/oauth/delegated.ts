import { createHmac, randomBytes } from "node:crypto";
import {
  err,
  isLoopbackHost,
  ok,
  type PublicJwk,
  parseHttpUrl,
  type Result,
  type Secret,
  secret,
} from "@countersign/wire";
import { importJWK, SignJWT } from "jose";
import type { Store } from "../store/store.ts";
import type { Sealer } from "../vault/seal.ts";
import { loadOAuthKeys, loadSecretSetting } from "./keys.ts";
import { ACCESS_TOKEN_SECONDS } from "./limits.ts";

/** A person, as somebody is told whom this gateway acts for. */
export interface DelegatedPerson {
  readonly tenantId: string;
  readonly personId: string;
}

/** A token of our own for one audience; what an agent brought here is never passed on (MAP-2, AUT-3). */
export interface Delegated {
  readonly token: Secret<string>;
  /** The person's name at this audience and at no other: two audiences cannot tell that it is the same person. */
  readonly subject: string;
  readonly issuer: string;
}

export interface Delegation {
  /** The public keys by which such tokens are verified, as they are served at {@link DELEGATION_KEYS_PATH}. */
  readonly jwks: { readonly keys: readonly (PublicJwk & { readonly kid: string })[] };
  tokenFor(person: DelegatedPerson, audience: string): Promise<Result<Delegated, "not_an_audience">>;
}

interface DelegationDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly issuer: string;
  readonly now: () => number;
}

/** Served whoever gives agents their tokens: with an outside issuer there is no authorization server of ours. */
export const DELEGATION_KEYS_PATH = "/.well-known/countersign-delegation-keys";

const SUBJECT_KEY_SETTING = "delegation_subject_key";
/**
 * Issues short JWTs for the destinations that this gateway calls on a person's behalf. They are signed by the keys of the
 * authorization server and have the form of its access tokens (RFC 9068), but name neither agent nor grant:
 * our own API refuses them whatever their audience, and none is issued for the gateway itself.
 */
export async function createDelegation(deps: DelegationDeps): Promise<Delegation> {
  const { issuer, now } = deps;
  const keys = await loadOAuthKeys(deps);
  const [key] = keys;
  const signing = await importJWK(key.privateJwk.reveal() as Parameters<typeof importJWK>[0], "ES256");
  const subjectKey = await loadSecretSetting(deps, SUBJECT_KEY_SETTING);
  return {
    jwks: { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid })) },
    async tokenFor({ tenantId, personId }, audience) {
      if (!isAudience(audience, issuer)) return err("not_an_audience");
      const subject = createHmac("sha256", subjectKey.reveal())
        .update(JSON.stringify(["countersign pairwise subject/1", tenantId, personId, audience]))
        .digest("base64url");
      const issuedAt = Math.floor(now() / 1_000);
      const token = await new SignJWT({ client_id: issuer })
        .setProtectedHeader({ alg: "ES256", kid: key.kid, typ: "at+jwt" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .setJti(randomBytes(16).toString("base64url"))
        .sign(signing);
      return ok({ token: secret(token), subject, issuer });
    },
  };
}

/** Somebody else's address, by TLS but on the machine itself: a token for ourselves is the authorization server's to give. */
function isAudience(audience: string, issuer: string): boolean {
  const url = parseHttpUrl(audience);
  if (!url.ok || url.value.hash !== "" || url.value.origin === issuer) return false;
  return url.value.protocol === "https:" || isLoopbackHost(url.value.hostname);
}
