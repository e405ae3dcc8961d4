import { API_SCOPE, PROOF_ALGORITHMS } from "./names.ts";

// What a resource of ours says of itself (RFC 9728), and how it asks for a token. Pure: whoever serves a resource uses it.

/** The agents' API: the audience of a token where none is asked for. */
export function apiResource(issuer: string): string {
  return `${issuer}/v1`;
}

const METADATA = "/.well-known/oauth-protected-resource";

/** Where the document of a resource stands: the well-known part before the resource's own path. */
export function resourceMetadataUrl(issuer: string, resource: string): string {
  return `${issuer}${METADATA}${resource.slice(issuer.length)}`;
}

export function resourceMetadata(authorizationServer: string, resource: string): object {
  return {
    resource,
    authorization_servers: [authorizationServer],
    scopes_supported: [API_SCOPE],
    bearer_methods_supported: ["header"],
  };
}

/** RFC 9728 section 5.1 and RFC 6750 section 3: an error is named only where a token came. */
export function resourceChallenge(issuer: string, resource: string, authorization: string | undefined): string {
  const parts = [`resource_metadata="${resourceMetadataUrl(issuer, resource)}"`, `scope="${API_SCOPE}"`];
  if (authorization !== undefined) parts.unshift('error="invalid_token"');
  const bearer = `Bearer ${parts.join(", ")}`;
  // Whoever came with a bound token hears how its proofs may be signed (RFC 9449 section 7.1).
  return /^dpop /i.test(authorization ?? "") ? `DPoP algs="${PROOF_ALGORITHMS.join(" ")}", ${bearer}` : bearer;
}
