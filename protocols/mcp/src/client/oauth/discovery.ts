import type { Ctx } from "@countersign/plugin";
import { err, ok, parseOrigin, type Result, type Secret } from "@countersign/wire";
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientInformationMixed,
  type OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client";
import { SCOPE_CHARS_MAX } from "../limits.ts";
import { scopesOf } from "./scopes.ts";

export type DiscoveryProblem =
  | "no_resource_metadata"
  | "other_resource"
  | "authorization_server_not_allowed"
  | "no_server_metadata"
  | "no_pkce"
  | "insecure_endpoint";

export interface Discovered {
  /** As the metadata spells it. */
  readonly resource: string;
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** What the server's challenge and its metadata ask for. */
  readonly scopes: readonly string[];
}

export interface DiscoveryOptions {
  readonly endpoint: URL;
  /** The origins of the destination: nothing is asked, and no credential goes, anywhere else. */
  readonly origins: ReadonlySet<string>;
  readonly authorizationServer?: string;
}

/** The way out for the library's own requests: to the destination's origins alone, following nothing. */
export function fetchWithin(ctx: Ctx, origins: ReadonlySet<string>): FetchLike {
  return (url, init) => {
    if (!origins.has(new URL(url).origin))
      return Promise.reject(new Error("an address outside the destination's origins"));
    return ctx.fetch(new Request(url, { ...init, redirect: "manual" }));
  };
}

/**
 * Who may give out tokens for this server, in its own words (RFC 9728), and what that one's document says (RFC 8414).
 * Both are strangers' data: the resource has to be this very endpoint's, the issuer the one that was asked, byte for
 * byte, and it has to stand at an origin of the destination.
 */
export async function discover(ctx: Ctx, options: DiscoveryOptions): Promise<Result<Discovered, DiscoveryProblem>> {
  const { endpoint, origins } = options;
  const fetchFn = fetchWithin(ctx, origins);
  const challenge = await askUnsigned(ctx, endpoint);
  let resource: OAuthProtectedResourceMetadata;
  try {
    resource = await discoverOAuthProtectedResourceMetadata(
      endpoint,
      challenge.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: challenge.resourceMetadataUrl },
      fetchFn,
    );
  } catch {
    return err("no_resource_metadata");
  }
  if (!checkResourceAllowed({ requestedResource: endpoint, configuredResource: resource.resource }))
    return err("other_resource");
  const issuer = (resource.authorization_servers ?? []).find((one) =>
    options.authorizationServer === undefined ? origins.has(originOf(one) ?? "") : one === options.authorizationServer,
  );
  if (issuer === undefined || !origins.has(originOf(issuer) ?? "")) {
    ctx.log.warn("mcp.authorization_server_not_allowed", { found: (resource.authorization_servers ?? []).length });
    return err("authorization_server_not_allowed");
  }
  const metadata = await serverMetadata(ctx, issuer, origins);
  if (!metadata.ok) return metadata;
  const scopes = challenge.scopes.length > 0 ? challenge.scopes : (resource.scopes_supported ?? []);
  return ok({ resource: resource.resource, issuer: metadata.value.issuer, metadata: metadata.value, scopes });
}

/** An authorization server's own document; one that does not announce S256 is used for nothing. */
export async function serverMetadata(
  ctx: Ctx,
  issuer: string,
  origins: ReadonlySet<string>,
): Promise<Result<AuthorizationServerMetadata, DiscoveryProblem>> {
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetchWithin(ctx, origins) }).catch(
    () => undefined,
  );
  if (metadata === undefined) return err("no_server_metadata");
  if (metadata.code_challenge_methods_supported?.includes("S256") !== true) return err("no_pkce");
  const endpoints = [metadata.authorization_endpoint, metadata.token_endpoint];
  return endpoints.every((url) => origins.has(originOf(url) ?? "")) ? ok(metadata) : err("insecure_endpoint");
}

export function clientInformation(client: {
  readonly clientId: string;
  readonly clientSecret?: Secret<string>;
}): OAuthClientInformationMixed {
  return {
    client_id: client.clientId,
    ...(client.clientSecret === undefined ? {} : { client_secret: client.clientSecret.reveal() }),
  };
}

interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scopes: readonly string[];
}

/** What the server says to somebody without a token; whatever goes wrong, its well-known places are looked at. */
async function askUnsigned(ctx: Ctx, endpoint: URL): Promise<Challenge> {
  const request = new Request(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "server/discover",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "server/discover",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "countersign", version: "0.1.0" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
    redirect: "manual",
  });
  const answer = await ctx
    .withIdentity(request)
    .then((signed) => ctx.fetch(signed))
    .catch(() => undefined);
  if (answer === undefined || answer.status !== 401) return { scopes: [] };
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer);
  return {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    scopes: scope === undefined || scope.length > SCOPE_CHARS_MAX ? [] : scopesOf(scope),
  };
}

function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const origin = parseOrigin(new URL(url).origin);
  return origin.ok ? origin.value : undefined;
}
