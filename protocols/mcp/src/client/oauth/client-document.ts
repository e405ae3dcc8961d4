/** Where our own client metadata document stands at the gateway's origin; its address is our `client_id`. */
export const CLIENT_DOCUMENT_PATH = "/mcp-client.json";
/** The page that a person comes back to (gateway, connection/handoff.ts). */
const RETURN_PATH = "/returned";

/** What an authorization server may know of us. No secret: we prove ourselves by PKCE alone. */
export function clientDocument(origin: string) {
  return {
    client_id: `${origin}${CLIENT_DOCUMENT_PATH}`,
    client_name: "Countersign",
    client_uri: origin,
    redirect_uris: [`${origin}${RETURN_PATH}`],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}
