import type { IncomingMessage, ServerResponse } from "node:http";
import type { Fetch, Log } from "@countersign/plugin";
import { assert, isLoopbackHost, type PublicJwk, parseOrigin, type Result, type Secret } from "@countersign/wire";
import type { Db, Store, Tx } from "../store/store.ts";
import type { Sealer } from "../vault/seal.ts";
import type { AskedAuthorizations } from "./asked.ts";
import type { AuthorizationServer } from "./authorization-server.ts";
import { createClientDocuments } from "./client-documents.ts";
import type { KnownClient } from "./clients.ts";
import { loadCookieKey, loadOAuthKeys } from "./keys.ts";
import { deleteGrant, deleteGrantsOf, sweepExpired } from "./records.ts";
import { type AccessTokenHolder, type AccessTokenProblem, accessTokenVerifier, type Proof } from "./verify.ts";

export interface OAuthDeps {
  readonly store: Store;
  readonly sealer: Sealer;
  /** An origin without a path; https, or http on a loopback name. */
  readonly issuer: string;
  /** The audience of our access tokens where none is asked for (RFC 8707): the URL of the agents' API. */
  readonly resource: string;
  /** Further audiences, a token for one of them at a time: the URLs at which protocols are served. */
  readonly moreResources?: readonly string[];
  /** Clients that the operator entered. */
  readonly clients?: readonly KnownClient[];
  /** How metadata documents of clients are fetched; without it none is, and only known clients may ask. */
  readonly documents?: { readonly fetch: Fetch; readonly loopback: "refused" | "allowed" };
  /** What is wrong with a grant that a client asks for by name; without it none may be asked for. */
  readonly judgeDetail?: (detail: unknown) => string | undefined;
  /** A client revoked its own token: what it was given ends, in one transaction. */
  readonly onGivenBack?: (grantId: string) => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
}

export interface AgentPrincipal {
  readonly clientId: string;
  readonly personId: string;
  readonly tenantId: string;
  readonly pseudonym: string;
}

export interface MintedTokens {
  /** To be handed out once; it is not readable again. */
  readonly refreshToken: Secret<string>;
  /** To be kept in `agent.grant_id`. */
  readonly grantId: string;
}

/**
 * Makes the OAuth grant and first refresh token of an agent that the person has just accepted, in the transaction of
 * that decision.
 * @throws AssertionFailed when the agent's row in `tx` is not accepted or belongs to somebody else.
 */
export type Mint = (tx: Tx, agent: AgentPrincipal) => Promise<MintedTokens>;

/** The gateway's authorization server and its check of access tokens. */
export interface OAuth {
  /** Serves the endpoints under `/oauth/` that `ROUTES` names and the two discovery documents; everything else is 404. */
  handler(): Promise<(req: IncomingMessage, res: ServerResponse) => void>;
  /** Asked before the transaction of a decision begins: getting ready to mint reads files, minting only rows. */
  minter(): Promise<Mint>;
  /** Ends the grant and every token under it, access tokens included; call it where `agent.state` is changed. */
  revokeAgent(db: Db, grantId: string): Promise<void>;
  /** The same for every grant that a person gave an agent at the authorization page. */
  revokeGrantsOf(db: Db, agentId: string): Promise<void>;
  /** What clients ask at the authorization endpoint; asked before a transaction begins, as {@link minter}. */
  asked(): Promise<AskedAuthorizations>;
  /**
   * Judges the value of an `Authorization` header (AUT-3) for one audience: the API, or the resource that is named.
   * Reads the agent's row each time.
   */
  verifyAccessToken(
    authorization: string | undefined,
    resource?: string,
    proof?: Proof,
  ): Promise<Result<AccessTokenHolder, AccessTokenProblem>>;
  /** The clients that the operator entered, by id, with the operator's name for each. */
  readonly knownClients: ReadonlyMap<string, string>;
  /** The public keys as the key set serves them. */
  readonly jwks: { readonly keys: readonly (PublicJwk & { readonly kid: string })[] };
  /** Removes expired rows; also done by itself now and then. Answers how many. */
  sweep(): Promise<number>;
}

/** Loads (at the first start: makes) the keys. The authorization server is built when it is first asked for something. */
export async function createOAuth(deps: OAuthDeps): Promise<OAuth> {
  const issuer = checkedIssuer(deps.issuer);
  const { store, resource, now } = deps;
  const keys = await loadOAuthKeys(deps);
  const cookieKey = await loadCookieKey(deps);
  await sweepExpired(store.db, now());
  const server = onFirstUse(async () => {
    const { openAuthorizationServer } = await import("./authorization-server.ts");
    return openAuthorizationServer({
      ...deps,
      moreResources: deps.moreResources ?? [],
      knownClients: deps.clients ?? [],
      documents:
        deps.documents === undefined
          ? undefined
          : createClientDocuments({ ...deps, fetch: deps.documents.fetch, rules: deps.documents }),
      judgeDetail: deps.judgeDetail ?? (() => "no grant can be asked for by name here"),
      onGivenBack: deps.onGivenBack ?? ((grantId) => deleteGrant(store.db, grantId)),
      issuer,
      keys,
      cookieKey,
    });
  });
  const verify = accessTokenVerifier({ db: store.db, keys, issuer: issuer.origin, resource, now });
  return {
    handler: async () => {
      const { handle } = await server();
      // Who asks is found out there, so nobody's tenant is known yet.
      return (req, res) => store.as("system", () => handle(req, res));
    },
    minter: async () => (await server()).mint,
    revokeAgent: deleteGrant,
    revokeGrantsOf: deleteGrantsOf,
    asked: async () => (await server()).asked,
    verifyAccessToken: (authorization, asked, proof) => store.as("system", () => verify(authorization, asked, proof)),
    knownClients: new Map((deps.clients ?? []).map(({ clientId, name }) => [clientId, name])),
    jwks: { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid })) },
    sweep: () => store.as("system", () => sweepExpired(store.db, now())),
  };
}

function onFirstUse(open: () => Promise<AuthorizationServer>): () => Promise<AuthorizationServer> {
  let opened: Promise<AuthorizationServer> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

function checkedIssuer(text: string): URL {
  const origin = parseOrigin(text);
  assert(origin.ok && origin.value === text, "the issuer is an origin, spelled as the URL standard does");
  const url = new URL(text);
  // The library would take http for any host (OAuth 2.1 section 1.5 wants TLS but for loopback).
  assert(url.protocol === "https:" || isLoopbackHost(url.hostname), "plain http is for loopback issuers only");
  return url;
}
