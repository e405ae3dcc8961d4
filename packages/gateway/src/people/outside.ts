import { err, isJsonObject, ok, parseJson, type Result, type Secret } from "@countersign/wire";
import * as oauth from "oauth4webapi";
import type { Core, Owner } from "../core.ts";
import { newToken, tokenHash } from "../ids.ts";
import { OUTSIDE_SIGN_IN_LIFE_MS } from "../limits.ts";
import { openText, sealText } from "../vault/seal.ts";
import { findPerson, firstPerson } from "./people.ts";
import { beginSession } from "./sessions.ts";

/**
 * Sign-in by an outside OpenID provider that the operator configured: authorization code with PKCE, state and nonce, the
 * state bound to the browser that began. Only subjects that the operator named come in, each as one person. It begins a
 * session and nothing else: it is no passkey, so it never satisfies the policy `passkey`, and a passkey made in such a
 * session settles. The provider answers to a page of ours, which posts what came, so that no GET changes anything (U38).
 */

/** `subject` is the provider's lasting name of the account (`sub`); without `personId` it is the first account holder. */
export interface AllowedSubject {
  readonly subject: string;
  readonly personId?: string;
}

export interface OpenIdSetting {
  /** `https`, or `http` on this very machine. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: Secret<string>;
  /** How the sign-in page calls it. */
  readonly title: string;
  readonly allowed: readonly AllowedSubject[];
}

/** Where the provider sends the browser back to: a page of the console. */
export const OUTSIDE_CALLBACK = "/outside-sign-in";

const SCOPE = "openid";

export interface OutsideAnswer {
  readonly code: string;
  readonly state: string;
  readonly iss?: string;
}

export type OutsideProblem = "not_offered" | "unavailable" | "refused";

/** Begins one: the address to send the browser to. `back` is a path of ours to return to afterwards. */
export async function beginOutside(
  core: Core,
  browser: string,
  back: string,
): Promise<Result<URL, "not_offered" | "unavailable">> {
  const { openid } = core.people;
  if (openid === undefined) return err("not_offered");
  const server = await discover(core, openid);
  if (server?.authorization_endpoint === undefined) return err("unavailable");
  const state = newToken();
  const nonce = newToken();
  const verifier = oauth.generateRandomCodeVerifier();
  const now = core.now();
  const { db } = core.store;
  await db.deleteFrom("outside_sign_in").where("expires_at", "<", now).execute();
  await db
    .insertInto("outside_sign_in")
    .values({
      state_hash: tokenHash(state),
      bound_to: browser,
      sealed: sealText(core.sealer, contextOf(state), JSON.stringify({ nonce, verifier })),
      back,
      created_at: now,
      expires_at: now + OUTSIDE_SIGN_IN_LIFE_MS,
      used_at: null,
    })
    .execute();
  const url = new URL(server.authorization_endpoint);
  const query = {
    client_id: openid.clientId,
    redirect_uri: redirectUri(core),
    response_type: "code",
    scope: SCOPE,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return ok(url);
}

/** What came back: spent at once, by the browser that began it alone; then the code is exchanged, and its subject looked up. */
export async function finishOutside(
  core: Core,
  browser: string,
  answer: OutsideAnswer,
  device: string,
): Promise<Result<{ readonly token: Secret<string>; readonly back: string }, OutsideProblem>> {
  const { openid } = core.people;
  if (openid === undefined) return err("not_offered");
  const spent = await spend(core, browser, answer.state);
  if (spent === undefined) return err("refused");
  const server = await discover(core, openid);
  if (server === undefined) return err("unavailable");
  const subject = await subjectOf(core, openid, server, answer, spent);
  if (subject === undefined) return err("refused");
  const owner = await allowedOwner(core, openid, subject);
  if (owner === undefined) {
    core.log.warn("people.outside_subject_not_allowed", { issuer: openid.issuer });
    return err("refused");
  }
  const token = await core.store.transaction((tx) => beginSession(core, tx, owner, { began: "outside", device }));
  return ok({ token, back: spent.back });
}

async function allowedOwner(core: Core, openid: OpenIdSetting, subject: string): Promise<Owner | undefined> {
  const allowed = openid.allowed.find((one) => one.subject === subject);
  if (allowed === undefined) return undefined;
  return allowed.personId === undefined ? firstPerson(core) : findPerson(core, allowed.personId);
}

interface Spent {
  readonly nonce: string;
  readonly verifier: string;
  readonly back: string;
}

async function spend(core: Core, browser: string, state: string): Promise<Spent | undefined> {
  const stateHash = tokenHash(state);
  const now = core.now();
  const row = await core.store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("outside_sign_in")
      .set({ used_at: now })
      .where("state_hash", "=", stateHash)
      .where("bound_to", "=", browser)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return undefined;
    return tx.selectFrom("outside_sign_in").selectAll().where("state_hash", "=", stateHash).executeTakeFirstOrThrow();
  });
  if (row === undefined) return undefined;
  const kept = parseJson(openText(core.sealer, contextOf(state), row.sealed));
  if (!kept.ok || !isJsonObject(kept.value)) return undefined;
  const { nonce, verifier } = kept.value;
  return typeof nonce === "string" && typeof verifier === "string" ? { nonce, verifier, back: row.back } : undefined;
}

/** The subject of the ID token that the code was exchanged for; every claim and the signature checked by the library. */
async function subjectOf(
  core: Core,
  openid: OpenIdSetting,
  server: oauth.AuthorizationServer,
  answer: OutsideAnswer,
  { nonce, verifier }: Spent,
): Promise<string | undefined> {
  const client: oauth.Client = { client_id: openid.clientId };
  const options = optionsOf(core, openid);
  const auth = openid.clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(openid.clientSecret.reveal());
  try {
    const parameters = new URLSearchParams({ code: answer.code, state: answer.state });
    if (answer.iss !== undefined) parameters.set("iss", answer.iss);
    const valid = oauth.validateAuthResponse(server, client, parameters, answer.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      valid,
      redirectUri(core),
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    // The token came over our own connection; the signature is checked all the same, for a loopback one has no TLS.
    await oauth.validateApplicationLevelSignature(server, response, options);
    return oauth.getValidatedIdTokenClaims(tokens)?.sub;
  } catch (error) {
    core.log.warn("people.outside_refused", { issuer: openid.issuer, why: codeOf(error) });
    return undefined;
  }
}

async function discover(core: Core, openid: OpenIdSetting): Promise<oauth.AuthorizationServer | undefined> {
  const issuer = new URL(openid.issuer);
  try {
    const response = await oauth.discoveryRequest(issuer, { ...optionsOf(core, openid), algorithm: "oidc" });
    return await oauth.processDiscoveryResponse(issuer, response);
  } catch (error) {
    core.log.warn("people.outside_unavailable", { issuer: openid.issuer, why: codeOf(error) });
    return undefined;
  }
}

/** Every request to the provider leaves by the guarded egress, on a pinned address, without redirects. */
function optionsOf(core: Core, openid: OpenIdSetting) {
  return {
    [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>) =>
      core.people.fetch(new Request(url, init as RequestInit)),
    // Settings allow plain http on this very machine alone.
    [oauth.allowInsecureRequests]: new URL(openid.issuer).protocol === "http:",
  };
}

/** The library's codes hold nothing of what was sent; its messages may. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

function redirectUri(core: Core): string {
  return `${core.issuer}${OUTSIDE_CALLBACK}`;
}

function contextOf(state: string): string {
  return `outside:${tokenHash(state)}`;
}
