import { err, isJsonObject, isLoopbackHost, ok, parseJson, type Result } from "@countersign/wire";
import { CLIENT_DOCUMENT_BYTES_MAX, CLIENT_NAME_CHARS_MAX, CLIENT_URL_CHARS_MAX, REDIRECT_URIS_MAX } from "./limits.ts";
import { DEVICE_GRANT } from "./names.ts";

// Client-id metadata documents (draft-ietf-oauth-client-id-metadata-document): a client whose id is the https address of
// a document about itself. What it says of itself is its own word; only its host is proven, by TLS. All of this is pure.

export interface DocumentRules {
  /** Plain http on a loopback address counts as https: for tests and for a developer's own machine. */
  readonly loopback: "refused" | "allowed";
}

export interface ClientDocument {
  readonly clientId: string;
  /** Its own words. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export type DocumentProblem =
  | "not_json"
  | "other_client_id"
  | "shared_secret"
  | "unsupported_authentication"
  | "no_redirect_uri";

const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i;

/**
 * Is this id the address of a document? It must be spelled as the URL standard spells it, so that two ids that look
 * alike are two clients; with a path, without user, fragment or dots that lead elsewhere.
 */
export function documentUrl(clientId: string, rules: DocumentRules): URL | undefined {
  if (clientId.length > CLIENT_URL_CHARS_MAX || !/^https?:\/\//.test(clientId)) return undefined;
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || url.pathname === "/" || DOT_SEGMENT.test(url.pathname)) return undefined;
  if (url.username !== "" || url.password !== "" || clientId.includes("#")) return undefined;
  if (url.protocol === "https:") return url;
  return rules.loopback === "allowed" && isLoopbackHost(url.hostname) ? url : undefined;
}

export function readClientDocument(clientId: string, bytes: Uint8Array): Result<ClientDocument, DocumentProblem> {
  const json = parseJson(bytes, { maxBytes: CLIENT_DOCUMENT_BYTES_MAX });
  if (!json.ok || !isJsonObject(json.value)) return err("not_json");
  const document = json.value;
  if (document["client_id"] !== clientId) return err("other_client_id");
  const method = document["token_endpoint_auth_method"] ?? "none";
  if ("client_secret" in document || "client_secret_expires_at" in document) return err("shared_secret");
  if (typeof method === "string" && method.startsWith("client_secret_")) return err("shared_secret");
  if (method !== "none") return err("unsupported_authentication");
  const listed = document["redirect_uris"];
  const redirectUris = (Array.isArray(listed) ? listed : [])
    .slice(0, REDIRECT_URIS_MAX)
    .filter((uri): uri is string => typeof uri === "string" && mayReturnTo(clientId, uri));
  const grants = document["grant_types"];
  const types = Array.isArray(grants) && grants.includes(DEVICE_GRANT);
  if (redirectUris.length === 0 && !types) return err("no_redirect_uri");
  const name = document["client_name"];
  return ok({
    clientId,
    name: typeof name === "string" ? Array.from(name.trim()).slice(0, CLIENT_NAME_CHARS_MAX).join("") : "",
    redirectUris,
  });
}

/**
 * The person is told the host of the document, so a code goes to that very origin, or to this machine. Anything else
 * that a document lists does not count: another host, or the scheme of an app, which any app may claim.
 */
function mayReturnTo(clientId: string, redirectUri: string): boolean {
  const url = URL.parse(redirectUri);
  if (url === null || redirectUri.includes("#") || url.username !== "" || url.password !== "") return false;
  if (url.origin === new URL(clientId).origin) return true;
  return url.protocol === "http:" && isLoopbackHost(url.hostname);
}

/** Where a code would go, in the words that the person is shown. */
export type ReturnsTo =
  | { readonly kind: "site"; readonly origin: string }
  | { readonly kind: "this_device" }
  | { readonly kind: "app"; readonly scheme: string };

export function returnsTo(redirectUri: string): ReturnsTo {
  const url = new URL(redirectUri);
  if (url.protocol === "http:" && isLoopbackHost(url.hostname)) return { kind: "this_device" };
  if (url.protocol === "https:" || url.protocol === "http:") return { kind: "site", origin: url.origin };
  return { kind: "app", scheme: url.protocol.slice(0, -1) };
}
