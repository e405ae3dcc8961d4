/** The one scope of our API: what an agent may do is decided by consents, not by scopes (CON-1). */
export const API_SCOPE = "agent";

/**
 * Our claims beside those of RFC 9068. `grant` is the hash under which the grant's row is kept; `agent` is the agent's
 * own reference, where the client of the token is the client of many people.
 */
export const TENANT_CLAIM = "tenant";
export const GRANT_CLAIM = "grant";
export const AGENT_CLAIM = "agent";

/** The type of our authorization details (RFC 9396): a grant that is asked for, or was given. See docs/oauth.md. */
export const GRANT_DETAIL = "urn:countersign:grant";

export const CODE_GRANT = "authorization_code";
export const REFRESH_GRANT = "refresh_token";
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** How proofs of DPoP may be signed, for the authorization server and for every resource. */
export const PROOF_ALGORITHMS = ["ES256", "Ed25519"] as const;

export const ROUTES = {
  authorization: "/oauth/authorize",
  device_authorization: "/oauth/device/authorize",
  jwks: "/oauth/jwks",
  pushed_authorization_request: "/oauth/par",
  revocation: "/oauth/revoke",
  token: "/oauth/token",
} as const;
export const WELL_KNOWN = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const;

/** The page where a person types the code that a device shows. */
export const DEVICE_PAGE = "/device";

/** The page of the trusted interface where a person answers a client; the reference carries no authority. */
export const AUTHORIZE_PAGE = "/authorize/";
