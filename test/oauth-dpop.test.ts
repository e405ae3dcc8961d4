import { createHash, randomUUID } from "node:crypto";
import { assert, type JsonObject } from "@countersign/wire";
import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Reply, send } from "./support/http.ts";
import { Browser, type DocumentServer, OAuthClient, pageRef, serveDocument } from "./support/oauth-client.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

// Tokens that are bound to a key of the client (RFC 9449): at the authorization server by an independent client, at the
// resource by proofs made here, each wrong in one thing.

let world: World;
let site: DocumentServer;
let client: OAuthClient;
let browser: Browser;
beforeEach(async () => {
  world = await openWorld({ oauth: { documents: "loopback_too" } });
  site = await serveDocument();
  client = await OAuthClient.discover(world.issuer, site.clientId);
  browser = new Browser(world.issuer, await Person.signIn(world));
});
afterEach(async () => {
  await site.close();
  await world.close();
});

async function callback(): Promise<{ readonly parameters: URLSearchParams; readonly verifier: string }> {
  const begun = await client.begin();
  const ref = pageRef(await browser.open(begun.url));
  const decided = await browser.post(`/authorizations/${ref}/decision`, { decision: "allow" });
  const back = await browser.open(String(decided.json["onward"]));
  return { parameters: client.callback(String(back.headers.location), begun.state), verifier: begun.verifier };
}

interface Bound {
  readonly token: string;
  readonly refreshToken: string;
  readonly key: CryptoKey;
  readonly jwk: JWK;
  readonly handle: oauth.DPoPHandle;
}

async function boundToken(): Promise<Bound> {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const handle = oauth.DPoP(client.client, pair);
  const { parameters, verifier } = await callback();
  // The first try carries no nonce, hears one, and nothing is spent by it.
  const first = await client.redeem(parameters, verifier, { dpop: handle }).catch((error: unknown) => error);
  assert(oauth.isDPoPNonceError(first), "a nonce is demanded");
  const tokens = await client.redeem(parameters, verifier, { dpop: handle });
  expect(tokens.token_type).toBe("dpop");
  return {
    token: tokens.access_token,
    refreshToken: String(tokens.refresh_token),
    key: pair.privateKey,
    jwk: await exportJWK(pair.publicKey),
    handle,
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");

function proof(
  bound: Bound,
  claims: JsonObject | Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT({
    htm: "GET",
    htu: `${world.issuer}/v1/tasks`,
    ath: sha256(bound.token),
    iat: Math.floor((Date.now() + world.offset()) / 1000),
    jti: randomUUID(),
    ...claims,
  })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: bound.jwk, ...header })
    .sign(bound.key);
}

function ask(
  bound: Bound,
  dpop: string | undefined,
  change: { readonly scheme?: string; readonly path?: string } = {},
): Promise<Reply> {
  const authorization = `${change.scheme ?? "DPoP"} ${bound.token}`;
  const headers = { authorization, ...(dpop === undefined ? {} : { dpop }) };
  return send(world.issuer, "GET", change.path ?? "/v1/tasks", { headers });
}

describe("AUT-3 a token that is bound to a key", () => {
  it("counts with a fresh proof, made by an independent client too, and never as a plain bearer token", async () => {
    const bound = await boundToken();
    expect(decodeJwt(bound.token)["cnf"]).toEqual({ jkt: expect.any(String) });
    const url = new URL(`${world.issuer}/v1/tasks?state=open`);
    const reply = await oauth.protectedResourceRequest(bound.token, "GET", url, undefined, undefined, {
      DPoP: bound.handle,
      [oauth.allowInsecureRequests]: true,
    });
    expect(reply.status).toBe(200);
    expect((await ask(bound, await proof(bound))).status).toBe(200);
    for (const dpop of [undefined, await proof(bound)])
      expect((await ask(bound, dpop, { scheme: "Bearer" })).status).toBe(401);
    const bare = await ask(bound, undefined);
    expect([bare.status, bare.headers["www-authenticate"]]).toEqual([
      401,
      expect.stringMatching(/^DPoP algs="ES256 Ed25519", /),
    ]);
  });

  it("a proof is shown once, however many show it at the same moment", async () => {
    const bound = await boundToken();
    const one = await proof(bound);
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(bound, one)));
    expect(answers.map((a) => a.status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    world.advance(100_000);
    expect((await ask(bound, one)).status).toBe(401);
  });

  it("a proof for another request, token, key or time is none", async () => {
    const bound = await boundToken();
    const now = Math.floor(Date.now() / 1000);
    const other = await generateKeyPair("ES256", { extractable: true });
    const otherJwk = await exportJWK(other.publicKey);
    const wrong: readonly (readonly [string, Promise<string> | string])[] = [
      ["another method", proof(bound, { htm: "POST" })],
      ["another path", proof(bound, { htu: `${world.issuer}/v1/accounts` })],
      ["another host", proof(bound, { htu: "https://evil.example/v1/tasks" })],
      ["no address", proof(bound, { htu: undefined })],
      ["another token", proof(bound, { ath: sha256("other") })],
      ["no token", proof(bound, { ath: undefined })],
      ["an old time", proof(bound, { iat: now - 61 })],
      ["a time to come", proof(bound, { iat: now + 65 })],
      ["no time", proof(bound, { iat: undefined })],
      ["no id", proof(bound, { jti: undefined })],
      ["an id without end", proof(bound, { jti: "x".repeat(300) })],
      ["another key", proof({ ...bound, key: other.privateKey, jwk: otherJwk })],
      ["another's signature", proof({ ...bound, key: other.privateKey })],
      ["another type", proof(bound, {}, { typ: "JWT" })],
      ["nothing", ""],
      ["no token at all", "a.b.c"],
      ["two of them", Promise.all([proof(bound), proof(bound)]).then((both) => both.join(", "))],
    ];
    for (const [name, dpop] of wrong) expect([name, (await ask(bound, await dpop)).status]).toEqual([name, 401]);
    expect((await ask(bound, await proof(bound))).status).toBe(200);
  });

  it("neither its code's answer nor its refresh token is of use with another key, and a proof is no shared secret", async () => {
    const bound = await boundToken();
    const stranger = oauth.DPoP(client.client, await generateKeyPair("ES256", { extractable: true }));
    const refresh = async (dpop: oauth.DPoPHandle | undefined) => {
      const options = { [oauth.allowInsecureRequests]: true, ...(dpop === undefined ? {} : { DPoP: dpop }) };
      const response = await oauth.refreshTokenGrantRequest(
        client.server,
        client.client,
        oauth.None(),
        bound.refreshToken,
        options,
      );
      return oauth.processRefreshTokenResponse(client.server, client.client, response);
    };
    await expect(refresh(undefined)).rejects.toMatchObject({ error: "invalid_grant" });
    await refresh(stranger).catch(() => undefined);
    await expect(refresh(stranger)).rejects.toMatchObject({ error: "invalid_grant" });
    const next = await refresh(bound.handle);
    expect(next.token_type).toBe("dpop");
  });
});
