import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "@countersign/plugin";
import { assert, type PublicJwk, parseOrigin, type Result, type Secret, secret } from "@countersign/wire";
import { errors, Provider } from "oidc-provider";
import type { Db, Store, Tx } from "../store/store.ts";
import type { Sealer } from "../vault/seal.ts";
import { createRecords, deleteGrant, type OAuthRecords, sweepExpired } from "./adapter.ts";
import { principalOf } from "./clients.ts";
import { API_SCOPE, configuration, discoveryDocument, ROUTES, WELL_KNOWN } from "./configuration.ts";
import { loadCookieKey, loadOAuthKeys } from "./keys.ts";
import { type AccessTokenHolder, type AccessTokenProblem, accessTokenVerifier } from "./verify.ts";

export interface OAuthDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  /** An origin without a path; https, or http on a loopback name. */
  readonly issuer: string;
  /** The only audience of our access tokens (RFC 8707): the URL of the agents' API. */
  readonly resource: string;
  readonly now: () => number;
  readonly log: Log;
}

export interface AgentPrincipal {
  readonly clientId: string;
  readonly personId: string;
  readonly tenantId: string;
  readonly pseudonym: string;
}

/** The gateway's authorization server and its check of access tokens. */
export interface OAuth {
  /** Serves the token endpoint, the key set and the two discovery documents; everything else is 404. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  /**
   * Makes the OAuth grant and first refresh token of an agent that the person has just accepted, in the transaction of
   * that decision. Keep `grantId` in `agent.grant_id`; hand the token out once, it is not readable again.
   * @throws AssertionFailed when the agent's row in `tx` is not accepted or belongs to somebody else.
   */
  mintForAgent(
    tx: Tx,
    agent: AgentPrincipal,
  ): Promise<{ readonly refreshToken: Secret<string>; readonly grantId: string }>;
  /** Ends the grant and every token under it, access tokens included; call it where `agent.state` is changed. */
  revokeAgent(db: Db, grantId: string): Promise<void>;
  /** Judges the value of an `Authorization` header (AUT-3). Reads the agent's row each time. */
  verifyAccessToken(authorization: string | undefined): Promise<Result<AccessTokenHolder, AccessTokenProblem>>;
  /** The public keys as the key set serves them. */
  readonly jwks: { readonly keys: readonly (PublicJwk & { readonly kid: string })[] };
  /** Removes expired rows; also done by itself now and then. Answers how many. */
  sweep(): Promise<number>;
}

/** Loads (at the first start: makes) the keys and builds the authorization server. */
export async function createOAuth(deps: OAuthDeps): Promise<OAuth> {
  const issuer = checkedIssuer(deps.issuer);
  const { store, resource, now } = deps;
  const keys = await loadOAuthKeys(deps);
  const cookieKey = await loadCookieKey(deps);
  const records = createRecords(deps);
  await sweepExpired(store.db, now());
  const parts = { db: store.db, records, keys, cookieKey: cookieKey.reveal(), resource, now };
  const provider = new Provider(issuer.origin, configuration(parts));
  watch(provider, deps.log);
  // Who asks is found out here, so nobody's tenant is known yet.
  const handle = handler(provider, issuer);
  const verify = accessTokenVerifier({ db: store.db, keys, issuer: issuer.origin, resource, now });
  return {
    handle: (req, res) => store.as("system", () => handle(req, res)),
    mintForAgent: (tx, agent) => mint({ provider, records, resource }, tx, agent),
    revokeAgent: deleteGrant,
    verifyAccessToken: (authorization) => store.as("system", () => verify(authorization)),
    jwks: { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid })) },
    sweep: () => store.as("system", () => sweepExpired(store.db, now())),
  };
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function checkedIssuer(text: string): URL {
  const origin = parseOrigin(text);
  assert(origin.ok && origin.value === text, "the issuer is an origin, spelled as the URL standard does");
  const url = new URL(text);
  // The library would take http for any host (OAuth 2.1 section 1.5 wants TLS but for loopback).
  assert(url.protocol === "https:" || LOOPBACK_HOSTS.has(url.hostname), "plain http is for loopback issuers only");
  return url;
}

async function mint(
  parts: { readonly provider: Provider; readonly records: OAuthRecords; readonly resource: string },
  tx: Tx,
  agent: AgentPrincipal,
): Promise<{ readonly refreshToken: Secret<string>; readonly grantId: string }> {
  const { provider, records, resource } = parts;
  const row = await principalOf(tx, agent.clientId);
  assert(row?.state === "accepted", "tokens are made for accepted agents only");
  assert(
    row.tenantId === agent.tenantId && row.personId === agent.personId && row.pseudonym === agent.pseudonym,
    "an agent's tokens stand for its own person",
  );
  const who = { accountId: agent.pseudonym, clientId: agent.clientId };
  return records.within(tx, async () => {
    const grant = new provider.Grant(who);
    grant.addResourceScope(resource, API_SCOPE);
    const grantId = await grant.save();
    const token = new provider.RefreshToken({
      ...who,
      grantId,
      gty: "agent_add",
      resource,
      scope: API_SCOPE,
      rotations: 0,
    });
    return { grantId, refreshToken: secret(await token.save()) };
  });
}

const SERVED: ReadonlySet<string> = new Set([...Object.values(ROUTES), ...WELL_KNOWN]);

function handler(provider: Provider, issuer: URL): (req: IncomingMessage, res: ServerResponse) => void {
  // Discovery builds its URLs from what the request says about host and scheme: with `proxy` it reads the forwarded
  // headers, and those are ours.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === "discovery" && ctx.status === 200) ctx.body = discoveryDocument(ctx.body);
  });
  const callback = provider.callback();
  return (req, res) => {
    // An absolute-form target (RFC 9112 section 3.2.2) would otherwise override the host again.
    const path = req.url?.startsWith("/") ? req.url.split("?", 1)[0] : undefined;
    if (path === undefined || !SERVED.has(path)) return notFound(req, res);
    for (const name of Object.keys(req.headers)) {
      if (name === "forwarded" || name.startsWith("x-forwarded-")) delete req.headers[name];
    }
    req.headers["x-forwarded-host"] = issuer.host;
    req.headers["x-forwarded-proto"] = issuer.protocol.slice(0, -1);
    void callback(req, res);
  };
}

function notFound(req: IncomingMessage, res: ServerResponse): void {
  req.resume();
  const body = JSON.stringify({ error: "invalid_request", error_description: "no such endpoint" });
  res.writeHead(404, { "content-type": "application/json", "cache-control": "no-store" }).end(body);
}

/** Events by code only: descriptions and requests may hold what somebody sent (lessons U52). */
function watch(provider: Provider, log: Log): void {
  provider.on("grant.success", () => log.debug("oauth.token_issued"));
  provider.on("grant.error", (_ctx, error) => log.info("oauth.token_refused", { code: codeOf(error) }));
  provider.on("grant.revoked", () => log.warn("oauth.grant_revoked"));
  provider.on("server_error", (_ctx, error) => log.error("oauth.server_error", { kind: kindOf(error) }));
  provider.on("error", (error) => log.error("oauth.server_error", { kind: kindOf(error) }));
}

function codeOf(error: unknown): string {
  return error instanceof errors.OIDCProviderError ? error.error : "unknown";
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : "unknown";
}
