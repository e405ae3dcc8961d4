import type { Fetch, Log } from "@countersign/plugin";
import { err, ok, type Result } from "@countersign/wire";
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import * as oauth from "oauth4webapi";
import { OUTSIDE_ISSUER_MS_MAX, OUTSIDE_ISSUER_PAUSE_MS } from "../limits.ts";

/**
 * The keys of an outside authorization server: found by its metadata (RFC 8414, else OpenID Connect Discovery), fetched
 * when a token first names one, and again when one is named that is not known, but not more often than the library's
 * pause allows. A server that cannot be asked is asked again after a pause of ours; meanwhile no token of it is judged.
 */
export interface IssuerKeys {
  /** What the library asks for the key of a token. */
  get(): Promise<Result<JWTVerifyGetKey, "unavailable">>;
}

export interface IssuerKeysParts {
  readonly issuer: string;
  /** Guarded: to the issuer's own origin, or to public addresses. */
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly log: Log;
}

export function createIssuerKeys(parts: IssuerKeysParts): IssuerKeys {
  let found: Promise<JWTVerifyGetKey | undefined> | undefined;
  let askAgainAt = 0;
  return {
    async get() {
      if (found === undefined && parts.now() < askAgainAt) return err("unavailable");
      found ??= findKeys(parts);
      const keys = await found;
      if (keys !== undefined) return ok(keys);
      found = undefined;
      askAgainAt = parts.now() + OUTSIDE_ISSUER_PAUSE_MS;
      return err("unavailable");
    },
  };
}

async function findKeys(parts: IssuerKeysParts): Promise<JWTVerifyGetKey | undefined> {
  const { fetch } = parts;
  const address = keysAddress(parts.issuer, (await metadata(parts, "oauth2")) ?? (await metadata(parts, "oidc")));
  if (address === undefined) {
    parts.log.warn("oauth.outside_issuer_unavailable", { issuer: parts.issuer });
    return undefined;
  }
  return createRemoteJWKSet(address, {
    timeoutDuration: OUTSIDE_ISSUER_MS_MAX,
    [customFetch]: (url, init) => fetch(new Request(url, init as RequestInit)),
  });
}

async function metadata(
  { issuer, fetch }: IssuerKeysParts,
  algorithm: "oauth2" | "oidc",
): Promise<oauth.AuthorizationServer | undefined> {
  const url = new URL(issuer);
  try {
    const response = await oauth.discoveryRequest(url, {
      algorithm,
      signal: AbortSignal.timeout(OUTSIDE_ISSUER_MS_MAX),
      [oauth.customFetch]: (at: string, init: oauth.CustomFetchOptions<string, unknown>) =>
        fetch(new Request(at, init as RequestInit)),
      [oauth.allowInsecureRequests]: url.protocol === "http:",
    });
    // Holds the document to its issuer, exactly (RFC 8414 section 3.3).
    return await oauth.processDiscoveryResponse(url, response);
  } catch {
    // Neither a document nor a connection: the caller says which issuer cannot be asked.
    return undefined;
  }
}

/** Never weaker than the issuer itself: plain http only where the issuer is this very machine. */
function keysAddress(issuer: string, server: oauth.AuthorizationServer | undefined): URL | undefined {
  const address = server?.jwks_uri === undefined ? null : URL.parse(server.jwks_uri);
  if (address === null) return undefined;
  return address.protocol === "https:" || address.origin === new URL(issuer).origin ? address : undefined;
}
