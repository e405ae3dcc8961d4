/** The one scope of our API: what an agent may do is decided by consents, not by scopes (CON-1). */
export const API_SCOPE = "agent";

/** Our claims beside those of RFC 9068. `grant` is the hash under which the grant's row is kept. */
export const TENANT_CLAIM = "tenant";
export const GRANT_CLAIM = "grant";

export const ROUTES = { jwks: "/oauth/jwks", token: "/oauth/token" } as const;
export const WELL_KNOWN = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const;
