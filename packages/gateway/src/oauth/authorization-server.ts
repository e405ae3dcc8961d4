import { AsyncLocalStorage } from "node:async_hooks";
import { hkdfSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "@countersign/plugin";
import { assert, type Secret, secret } from "@countersign/wire";
import { type AdapterPayload, type Context, errors, Provider } from "oidc-provider";
import { tokenHash } from "../ids.ts";
import type { Db, Store, Tx } from "../store/store.ts";
import type { Sealer } from "../vault/seal.ts";
import { createRecords, type OAuthRecords } from "./adapter.ts";
import { type AskedAuthorizations, askedAuthorizations, noteBrowser } from "./asked.ts";
import { cookieForBrowser, withoutSessionCookie } from "./browser.ts";
import type { ClientDocuments, UnknownClients } from "./client-documents.ts";
import { acceptedClient, askingClient, type KnownClient, principalOf } from "./clients.ts";
import { configuration, discoveryDocument } from "./configuration.ts";
import { pollPace } from "./device.ts";
import type { OAuthKey } from "./keys.ts";
import { DEVICE_INTERVAL_SECONDS } from "./limits.ts";
import { API_SCOPE, AUTHORIZE_PAGE, ROUTES, WELL_KNOWN } from "./names.ts";
import type { AgentPrincipal, MintedTokens } from "./oauth.ts";

// All that needs the library, which is a third of what a gateway would load at its start: `oauth.ts` loads this file
// when somebody first asks for a token, a key or a document.

export interface AuthorizationServerParts {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly issuer: URL;
  readonly resource: string;
  readonly moreResources: readonly string[];
  readonly keys: readonly [OAuthKey, ...OAuthKey[]];
  readonly cookieKey: Secret<string>;
  readonly knownClients: readonly KnownClient[];
  readonly documents: ClientDocuments | undefined;
  /** What is wrong with a grant that a client asks for by name; undefined when a person may be asked. */
  readonly judgeDetail: (detail: unknown) => string | undefined;
  /** A client gave back its grant. */
  readonly onGivenBack: (grantId: string) => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
}

export interface AuthorizationServer {
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
  readonly mint: (tx: Tx, agent: AgentPrincipal) => Promise<MintedTokens>;
  readonly asked: AskedAuthorizations;
}

export function openAuthorizationServer(parts: AuthorizationServerParts): AuthorizationServer {
  const { store, keys, resource, issuer, now } = parts;
  const resources = [resource, ...parts.moreResources];
  const lookups = new AsyncLocalStorage<UnknownClients>();
  const known = new Map(parts.knownClients.map((client) => [client.clientId, askingClient(client)]));
  const clientOf = async (db: Db, clientId: string): Promise<AdapterPayload | undefined> => {
    const there = (await acceptedClient(db, clientId)) ?? known.get(clientId);
    if (there !== undefined) return there;
    const document = await parts.documents?.find(db, clientId, lookups.getStore() ?? "ignored");
    return document === undefined ? undefined : askingClient(document);
  };
  const records = createRecords({ ...parts, clientOf });
  const cookieKey = parts.cookieKey.reveal();
  const { judgeDetail, onGivenBack } = parts;
  const documents = parts.documents === undefined ? "refused" : "taken";
  const provider = new Provider(
    issuer.origin,
    configuration({
      db: store.db,
      records,
      keys,
      cookieKey,
      nonceKey: nonceKeyOf(cookieKey),
      resource,
      resources,
      judgeDetail,
      onGivenBack,
      now,
    }),
  );
  watch(provider, parts.log);
  const handle = handler({ provider, issuer, records, documents, now });
  return {
    handle: (req, res) => lookups.run(asksAnew(req) ? "looked_at" : "ignored", () => handle(req, res)),
    asked: askedAuthorizations(provider, records),
    mint: (tx, agent) => mint({ provider, records, resources }, tx, agent),
  };
}

async function mint(
  parts: { readonly provider: Provider; readonly records: OAuthRecords; readonly resources: readonly string[] },
  tx: Tx,
  agent: AgentPrincipal,
): Promise<MintedTokens> {
  const { provider, records, resources } = parts;
  const row = await principalOf(tx, agent.clientId);
  assert(row?.state === "accepted", "tokens are made for accepted agents only");
  assert(
    row.tenantId === agent.tenantId && row.personId === agent.personId && row.pseudonym === agent.pseudonym,
    "an agent's tokens stand for its own person",
  );
  const who = { accountId: agent.pseudonym, clientId: agent.clientId };
  return records.within(tx, async () => {
    const grant = new provider.Grant(who);
    for (const resource of resources) grant.addResourceScope(resource, API_SCOPE);
    const grantId = await grant.save();
    const token = new provider.RefreshToken({
      ...who,
      grantId,
      gty: "agent_add",
      resource: [...resources],
      scope: API_SCOPE,
      rotations: 0,
    });
    return { grantId, refreshToken: secret(await token.save()) };
  });
}

const SERVED: ReadonlySet<string> = new Set([...Object.values(ROUTES), ...WELL_KNOWN]);
/** The way back from our page: the library's path for one interaction. */
const ONWARD = new RegExp(`^${ROUTES.authorization}/[A-Za-z0-9_-]+$`);
const ASKS: ReadonlySet<string> = new Set([
  ROUTES.authorization,
  ROUTES.pushed_authorization_request,
  ROUTES.device_authorization,
]);

/** Every gateway on the store makes the same nonces. */
function nonceKeyOf(cookieKey: string): Buffer {
  return Buffer.from(hkdfSync("sha256", cookieKey, "", "countersign dpop nonce", 32));
}

function pathOf(req: IncomingMessage): string | undefined {
  return req.url?.startsWith("/") ? req.url.split("?", 1)[0] : undefined;
}

function asksAnew(req: IncomingMessage): boolean {
  return ASKS.has(pathOf(req) ?? "");
}

function handler(parts: {
  readonly provider: Provider;
  readonly issuer: URL;
  readonly records: OAuthRecords;
  readonly documents: "taken" | "refused";
  readonly now: () => number;
}): (req: IncomingMessage, res: ServerResponse) => void {
  const { provider, issuer, records } = parts;
  // Discovery builds its URLs from what the request says about host and scheme: with `proxy` it reads the forwarded
  // headers, and those are ours.
  provider.proxy = true;
  const paceOf = pollPace(parts.now);
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === "discovery" && ctx.status === 200) ctx.body = discoveryDocument(ctx.body, parts.documents);
    // Modes that answer with a page of scripts are nobody's here, and not for a refusal either.
    if (isAnswer(ctx) && ctx.type === "text/html" && ctx.status !== 303) {
      ctx.status = 303;
      ctx.redirect(`${AUTHORIZE_PAGE}problem.invalid_request`);
    }
    const began = ctx.oidc?.route === "authorization" ? ctx.oidc.entities.Interaction : undefined;
    if (began !== undefined) await noteBrowser(records, began.uid, cookieForBrowser(ctx.req, ctx.res));
    devicesAnswer(ctx, paceOf);
    withoutSessionCookie(ctx.res);
  });
  const callback = provider.callback();
  return (req, res) => {
    // An absolute-form target (RFC 9112 section 3.2.2) would otherwise override the host again.
    const path = pathOf(req);
    const served = path !== undefined && (SERVED.has(path) || (ONWARD.test(path) && req.method === "GET"));
    if (!served) return notFound(req, res);
    for (const name of Object.keys(req.headers)) {
      if (name === "forwarded" || name.startsWith("x-forwarded-")) delete req.headers[name];
    }
    req.headers["x-forwarded-host"] = issuer.host;
    req.headers["x-forwarded-proto"] = issuer.protocol.slice(0, -1);
    void callback(req, res);
  };
}

/**
 * A device is told how often to ask, and when it asks too fast (RFC 8628). It is given no address with the code in it:
 * such a link makes a person say yes to somebody else's device by one press (U39).
 */
function devicesAnswer(ctx: Context, paceOf: (device: string) => "in_time" | "too_fast"): void {
  const { oidc, body } = ctx;
  if (typeof body !== "object" || body === null) return;
  if (oidc?.route === "device_authorization" && "verification_uri_complete" in body) {
    const { verification_uri_complete: _withCode, ...rest } = body;
    ctx.body = { ...rest, interval: DEVICE_INTERVAL_SECONDS };
  }
  const code = oidc?.params?.device_code;
  if (oidc?.route !== "token" || typeof code !== "string" || !("error" in body)) return;
  if (body.error === "authorization_pending" && paceOf(tokenHash(code)) === "too_fast")
    ctx.body = { error: "slow_down", error_description: "ask less often" };
}

function isAnswer({ oidc }: Context): boolean {
  return oidc?.route === "authorization" || oidc?.route === "resume";
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
  provider.on("authorization.error", (_ctx, error) => log.info("oauth.request_refused", { code: codeOf(error) }));
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
