import { type Context, errors, type Token } from "oidc-provider";
import { tokenHash } from "../ids.ts";
import type { Db } from "../store/store.ts";
import type { OAuthRecords } from "./adapter.ts";
import { principalFor } from "./clients.ts";
import type { OAuthKey } from "./keys.ts";
import {
  ACCESS_TOKEN_SECONDS,
  AUTHORIZATION_CODE_SECONDS,
  DEVICE_CODE_SECONDS,
  INTERACTION_SECONDS,
  OAUTH_GRANT_SECONDS,
  REFRESH_TOKEN_SECONDS,
  SESSION_SECONDS,
} from "./limits.ts";
import {
  AGENT_CLAIM,
  API_SCOPE,
  AUTHORIZE_PAGE,
  CODE_GRANT,
  DEVICE_GRANT,
  DEVICE_PAGE,
  GRANT_CLAIM,
  GRANT_DETAIL,
  PROOF_ALGORITHMS,
  REFRESH_GRANT,
  ROUTES,
  TENANT_CLAIM,
} from "./names.ts";

export interface ConfigurationParts {
  readonly db: Db;
  readonly records: OAuthRecords;
  readonly keys: readonly [OAuthKey, ...OAuthKey[]];
  readonly cookieKey: string;
  /** 32 bytes. */
  readonly nonceKey: Buffer;
  readonly resource: string;
  /** Every audience that a token may be for, the first one included. */
  readonly resources: readonly string[];
  readonly judgeDetail: (detail: unknown) => string | undefined;
  readonly onGivenBack: (grantId: string) => Promise<void>;
  readonly now: () => number;
}

/**
 * The `oidc-provider` configuration. A client asks at the authorization endpoint, its answer is made on a page of the
 * trusted interface, and each answer is an OAuth grant of its own: no session of the library's outlives it.
 */
export function configuration(parts: ConfigurationParts): object {
  const { db, keys, resource, resources, judgeDetail } = parts;
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
    responseTypes: ["code"],
    enabledJWA: { dPoPSigningAlgValues: [...PROOF_ALGORITHMS] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ["none"],
    clientDefaults: {
      grant_types: [REFRESH_GRANT],
      response_types: [],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "ES256",
    },
    features: {
      devInteractions: { enabled: false },
      // A proof that was made ahead of time, or taken elsewhere, carries no nonce of ours (RFC 9449 section 8).
      dPoP: { enabled: true, nonceSecret: parts.nonceKey, requireNonce: () => true },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      registration: { enabled: false },
      deviceFlow: {
        enabled: true,
        charset: "base-20",
        mask: "****-****",
        // What the person is told of where it comes from (U39).
        deviceInfo: (ctx: Context) => ({ ip: ctx.ip, ua: ctx.req.headers["user-agent"] }),
      },
      revocation: {
        enabled: true,
        // Asked before the library deletes anything: what the client leaves behind is ended in one transaction.
        allowedPolicy: async (_ctx: Context, client: { readonly clientId: string }, token: Token) => {
          if (token.clientId !== client.clientId) return false;
          if (token.grantId !== undefined) await parts.onGivenBack(token.grantId);
          return true;
        },
      },
      richAuthorizationRequests: {
        enabled: true,
        types: {
          [GRANT_DETAIL]: {
            validate: async (ctx: Context, detail: unknown) => {
              const problem = severalDetails(ctx) ? "one grant at a time" : judgeDetail(detail);
              if (problem !== undefined) throw new errors.InvalidAuthorizationDetails(problem);
            },
          },
        },
        authorizationDetailsForGrantSource: async (ctx: Context) => ctx.oidc?.grant?.rar,
        // What the person gave is not what was asked for, and a token request cannot ask for more.
        authorizationDetailsForAccessToken: async (_ctx: Context, _token: Token, source: Token) => source.rar,
        authorizationDetailsForIntrospection: async (_ctx: Context, token: Token) => token.rar,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx: Context, asked: string) => {
          onlyScope(ctx);
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
      DeviceCode: DEVICE_CODE_SECONDS,
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
    interactions: {
      url: (_ctx: Context, interaction: { readonly uid: string }) => `${AUTHORIZE_PAGE}${interaction.uid}`,
    },
    // One answer, one grant: the library would add up what a person gave one client at different times.
    loadExistingGrant: async (ctx: Context) => {
      const grantId = ctx.oidc?.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc?.provider.Grant.find(grantId);
    },
    expiresWithSession: async () => false,
    clientBasedCORS: () => false,
    findAccount: async (ctx: Context, subject: string) => {
      const principal = await principalFor(db, ctx.oidc?.client?.clientId ?? "", subject);
      return principal === undefined ? undefined : { accountId: subject, claims: async () => ({ sub: subject }) };
    },
    extraTokenClaims: async (_ctx: Context, token: Token) => {
      const principal = await principalFor(db, token.clientId, token.accountId ?? "");
      if (principal === undefined || token.grantId === undefined)
        throw new Error("a token stands for agent and person");
      return {
        [TENANT_CLAIM]: principal.tenantId,
        [GRANT_CLAIM]: tokenHash(token.grantId),
        ...(principal.agentId === token.clientId ? {} : { [AGENT_CLAIM]: principal.agentId }),
      };
    },
    formats: {
      customizers: {
        // The library reads the system's clock; the token has to expire by the same clock that checks it.
        jwt: (_ctx: Context, _token: Token, jwt: { readonly payload: AccessTokenPayload }) => {
          jwt.payload.iat = Math.floor(parts.now() / 1000);
          jwt.payload.exp = jwt.payload.iat + ACCESS_TOKEN_SECONDS;
          // The grants by reference: a header has little room, and what they cover is read anew at each use (CON-1).
          const details = jwt.payload.authorization_details;
          if (details !== undefined)
            jwt.payload.authorization_details = details.map(({ type, consent_ref }) => ({ type, consent_ref }));
        },
      },
    },
    // A person in a browser sees a page of ours, which has the words; the library's has inline style.
    renderError: async (ctx: Context, out: { readonly error?: unknown }) => {
      const { error } = out;
      if (isForPerson(ctx) && typeof error === "string" && /^[a-z_]{1,60}$/.test(error)) {
        ctx.status = 303;
        return ctx.redirect(`${AUTHORIZE_PAGE}problem.${error}`);
      }
      ctx.type = "application/json";
      ctx.body = JSON.stringify(out);
    },
  };
}

interface AccessTokenPayload {
  iat: number;
  exp: number;
  authorization_details?: readonly { readonly type?: unknown; readonly consent_ref?: unknown }[];
}

function isForPerson({ oidc, req }: Context): boolean {
  return (
    (oidc?.route === "authorization" || oidc?.route === "resume") && (req.headers.accept ?? "").includes("text/html")
  );
}

/**
 * There is one scope, and the answer says that it was given (RFC 6749 section 3.3). Many clients ask for none, or for
 * those of another server; without this the library would refuse them at the very end.
 */
function onlyScope(ctx: Context): void {
  const { params, route } = ctx.oidc ?? {};
  if (params === undefined || route === "token") return;
  if (Array.isArray(params.resource) && params.resource.length > 1)
    throw new errors.InvalidTarget("one resource at a time");
  params.scope = API_SCOPE;
}

function severalDetails({ oidc }: Context): boolean {
  const all: unknown = JSON.parse(oidc?.params?.authorization_details ?? "[]");
  return Array.isArray(all) && all.length > 1;
}

// The library mounts some of these whatever its configuration says; `handle` lets none of them through.
const OTHER_ROUTES = {
  backchannel_authentication: "/oauth/backchannel",
  challenge: "/oauth/challenge",
  // Never reached: it is what `verification_uri` says, and a page of the trusted interface.
  code_verification: DEVICE_PAGE,
  credential: "/oauth/credential",
  end_session: "/oauth/session/end",
  introspection: "/oauth/introspect",
  registration: "/oauth/register",
  userinfo: "/oauth/userinfo",
};

/** What our discovery documents say (RFC 8414): the library's names endpoints and modes that are not served. */
export function discoveryDocument(full: unknown, documents: "taken" | "refused"): unknown {
  if (typeof full !== "object" || full === null) return full;
  const kept = Object.entries(full).filter(([name]) => SERVED_METADATA.has(name));
  return {
    ...Object.fromEntries(kept),
    scopes_supported: [API_SCOPE],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [CODE_GRANT, REFRESH_GRANT, DEVICE_GRANT],
    ...(documents === "taken" ? { client_id_metadata_document_supported: true } : {}),
  };
}

const SERVED_METADATA: ReadonlySet<string> = new Set([
  "issuer",
  "jwks_uri",
  "authorization_endpoint",
  "token_endpoint",
  "device_authorization_endpoint",
  "revocation_endpoint",
  "pushed_authorization_request_endpoint",
  "code_challenge_methods_supported",
  "authorization_response_iss_parameter_supported",
  "authorization_details_types_supported",
  "token_endpoint_auth_methods_supported",
  "subject_types_supported",
  "dpop_signing_alg_values_supported",
  "id_token_signing_alg_values_supported",
]);
