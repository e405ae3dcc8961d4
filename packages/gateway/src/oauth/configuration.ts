import { type Context, errors, type Token } from "oidc-provider";
import { tokenHash } from "../ids.ts";
import type { Db } from "../store/store.ts";
import type { OAuthRecords } from "./adapter.ts";
import { principalOf } from "./clients.ts";
import type { OAuthKey } from "./keys.ts";
import {
  ACCESS_TOKEN_SECONDS,
  AUTHORIZATION_CODE_SECONDS,
  INTERACTION_SECONDS,
  OAUTH_GRANT_SECONDS,
  REFRESH_TOKEN_SECONDS,
  SESSION_SECONDS,
} from "./limits.ts";
import { API_SCOPE, GRANT_CLAIM, ROUTES, TENANT_CLAIM } from "./names.ts";

export interface ConfigurationParts {
  readonly db: Db;
  readonly records: OAuthRecords;
  readonly keys: readonly [OAuthKey, ...OAuthKey[]];
  readonly cookieKey: string;
  readonly resource: string;
  /** Every audience that a token may be for, the first one included. */
  readonly resources: readonly string[];
  readonly now: () => number;
}

/**
 * The `oidc-provider` configuration: refresh tokens for accepted agents, nothing else. The other flows (code, PAR,
 * device, DPoP, metadata documents) are switched on here when their pages and checks exist.
 */
export function configuration(parts: ConfigurationParts): object {
  const { db, keys, resource, resources } = parts;
  return {
    adapter: parts.records.adapterFor,
    jwks: { keys: keys.map((key) => ({ ...key.privateJwk.reveal(), kid: key.kid, alg: "ES256", use: "sig" })) },
    cookies: {
      keys: [parts.cookieKey],
      long: { httpOnly: true, sameSite: "lax", signed: true },
      short: { httpOnly: true, sameSite: "lax", signed: true },
    },
    routes: { ...OTHER_ROUTES, ...ROUTES },
    scopes: [],
    responseTypes: [],
    clientAuthMethods: ["none"],
    clientDefaults: {
      grant_types: ["refresh_token"],
      response_types: [],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "ES256",
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx: Context, asked: string) => {
          if (!resources.includes(asked))
            throw new errors.InvalidTarget("this server issues tokens for its own API only");
          return {
            scope: API_SCOPE,
            audience: asked,
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: "jwt",
            jwt: { sign: { alg: "ES256", kid: keys[0].kid } },
          };
        },
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: AUTHORIZATION_CODE_SECONDS,
      Grant: OAUTH_GRANT_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: SESSION_SECONDS,
    },
    // The library's own rule stops rotating after a year; a public client's token is never used twice (RFC 9700 4.14).
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    revokeGrantPolicy: () => true,
    expiresWithSession: async () => false,
    clientBasedCORS: () => false,
    findAccount: async (ctx: Context, subject: string) => {
      const principal = await principalOf(db, ctx.oidc?.client?.clientId ?? "");
      if (principal?.state !== "accepted" || principal.pseudonym !== subject) return undefined;
      return { accountId: subject, claims: async () => ({ sub: subject }) };
    },
    extraTokenClaims: async (_ctx: Context, token: Token) => {
      const principal = await principalOf(db, token.clientId);
      if (principal === undefined || token.grantId === undefined)
        throw new Error("a token stands for agent and person");
      return { [TENANT_CLAIM]: principal.tenantId, [GRANT_CLAIM]: tokenHash(token.grantId) };
    },
    formats: {
      customizers: {
        // The library reads the system's clock; the token has to expire by the same clock that checks it.
        jwt: (_ctx: Context, _token: Token, jwt: { readonly payload: { iat: number; exp: number } }) => {
          jwt.payload.iat = Math.floor(parts.now() / 1000);
          jwt.payload.exp = jwt.payload.iat + ACCESS_TOKEN_SECONDS;
        },
      },
    },
    // The library's page has inline style; there is no page here yet.
    renderError: async (ctx: Context, out: unknown) => {
      ctx.type = "application/json";
      ctx.body = JSON.stringify(out);
    },
  };
}

// The library mounts some of these whatever its configuration says; `handle` lets none of them through.
const OTHER_ROUTES = {
  authorization: "/oauth/authorize",
  backchannel_authentication: "/oauth/backchannel",
  challenge: "/oauth/challenge",
  code_verification: "/oauth/device",
  credential: "/oauth/credential",
  device_authorization: "/oauth/device/authorize",
  end_session: "/oauth/session/end",
  introspection: "/oauth/introspect",
  pushed_authorization_request: "/oauth/par",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  userinfo: "/oauth/userinfo",
};

/** What our discovery documents say: the library's names endpoints and modes that are not served. */
export function discoveryDocument(full: unknown): unknown {
  if (typeof full !== "object" || full === null) return full;
  const kept = Object.entries(full).filter(([name]) => SERVED_METADATA.has(name));
  return { ...Object.fromEntries(kept), scopes_supported: [API_SCOPE], response_types_supported: [] };
}

const SERVED_METADATA: ReadonlySet<string> = new Set([
  "issuer",
  "jwks_uri",
  "token_endpoint",
  "grant_types_supported",
  "token_endpoint_auth_methods_supported",
  "subject_types_supported",
  "id_token_signing_alg_values_supported",
]);
