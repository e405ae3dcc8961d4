import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { tokenHash } from "../ids.ts";
import { ANNA_AGENT, BORIS_AGENT, type Fixture, fixture, ISSUER, RESOURCE, recorder, tokensOf } from "./fixture.ts";
import { createOAuth } from "./oauth.ts";

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(dataDir?: string): Promise<Fixture> {
  const f = await fixture(dataDir);
  open.push(f.close);
  return f;
}

test("AUT-3 a refresh token buys an RFC 9068 access token that verifies as agent, person and tenant", async () => {
  const f = await start();
  const { refreshToken, grantId } = await f.mint(ANNA_AGENT);
  const answer = await f.redeem(refreshToken, ANNA_AGENT.clientId);
  const tokens = tokensOf(answer);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 300 });
  expect(decodeProtectedHeader(tokens.access_token)).toEqual({
    alg: "ES256",
    typ: "at+jwt",
    kid: f.oauth.jwks.keys[0]?.kid,
  });
  const iat = f.clock.now / 1000;
  expect(decodeJwt(tokens.access_token)).toEqual({
    iss: ISSUER,
    aud: RESOURCE,
    sub: ANNA_AGENT.pseudonym,
    client_id: ANNA_AGENT.clientId,
    tenant: ANNA_AGENT.tenantId,
    grant: tokenHash(grantId),
    scope: "agent",
    jti: expect.any(String),
    iat,
    exp: iat + 300,
  });
  const verified = await f.oauth.verifyAccessToken(`Bearer ${tokens.access_token}`);
  expect(verified).toEqual({
    ok: true,
    value: { clientId: "agt_anna", personId: "per_anna", tenantId: "ten_one", jti: expect.any(String) },
  });
});

test("an old refresh token ends the whole grant, with the access tokens under it", async () => {
  const f = await start();
  const { refreshToken: first } = await f.mint(ANNA_AGENT);
  const second = tokensOf(await f.redeem(first, ANNA_AGENT.clientId));
  expect(second.refresh_token).not.toBe(first);
  const reused = await f.redeem(first, ANNA_AGENT.clientId);
  expect(reused.status).toBe(400);
  expect(JSON.parse(reused.text)).toMatchObject({ error: "invalid_grant" });
  expect((await f.redeem(second.refresh_token, ANNA_AGENT.clientId)).status).toBe(400);
  expect(await f.oauth.verifyAccessToken(`Bearer ${second.access_token}`)).toEqual({ ok: false, reason: "revoked" });
  expect(await f.store.db.selectFrom("oauth_record").selectAll().execute()).toEqual([]);
});

test("six parallel redemptions of one refresh token: one wins", async () => {
  const f = await start();
  for (let round = 0; round < 5; round += 1) {
    const { refreshToken } = await f.mint(ANNA_AGENT);
    const answers = await Promise.all(Array.from({ length: 6 }, () => f.redeem(refreshToken, ANNA_AGENT.clientId)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  }
});

test("a refresh token is good for its own client and our own API only", async () => {
  const f = await start();
  const { refreshToken } = await f.mint(ANNA_AGENT);
  const stolen = await f.redeem(refreshToken, BORIS_AGENT.clientId);
  expect([stolen.status, JSON.parse(stolen.text).error]).toEqual([400, "invalid_grant"]);
  const elsewhere = await f.redeem(refreshToken, ANNA_AGENT.clientId, { resource: "https://other.example/api" });
  expect([elsewhere.status, JSON.parse(elsewhere.text).error]).toEqual([400, "invalid_target"]);
  const named = await start();
  const own = await named.mint(ANNA_AGENT);
  expect((await named.redeem(own.refreshToken, ANNA_AGENT.clientId, { resource: RESOURCE })).status).toBe(200);
});

test("AUT-2 only an agent that the person accepted is a client", async () => {
  const f = await start();
  const { refreshToken } = await f.mint(ANNA_AGENT);
  for (const state of ["requested", "refused", "revoked"] as const) {
    await f.store.db.updateTable("agent").set({ state }).where("client_id", "=", ANNA_AGENT.clientId).execute();
    const answer = await f.redeem(refreshToken, ANNA_AGENT.clientId);
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([401, "invalid_client"]);
    await expect(f.mint(ANNA_AGENT)).rejects.toThrow("accepted agents only");
  }
});

test("an agent that was moved to another person gets no more tokens for the first", async () => {
  const f = await start();
  const { refreshToken } = await f.mint(ANNA_AGENT);
  const person = { person_id: "per_clara", tenant_id: ANNA_AGENT.tenantId, name: "Clara", pseudonym: "psn_clara" };
  await f.store.db
    .insertInto("person")
    .values({ ...person, created_at: f.clock.now })
    .execute();
  await f.store.db
    .updateTable("agent")
    .set({ person_id: person.person_id })
    .where("client_id", "=", ANNA_AGENT.clientId)
    .execute();
  const answer = await f.redeem(refreshToken, ANNA_AGENT.clientId);
  expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, "invalid_grant"]);
});

test("no token is minted for another person's agent, and none is left by a transaction that fails", async () => {
  const f = await start();
  await expect(f.mint({ ...ANNA_AGENT, tenantId: BORIS_AGENT.tenantId })).rejects.toThrow("own person");
  await expect(f.mint({ ...ANNA_AGENT, pseudonym: BORIS_AGENT.pseudonym })).rejects.toThrow("own person");
  const mint = await f.oauth.minter();
  const failing = f.store.transaction(async (tx) => {
    await mint(tx, ANNA_AGENT);
    throw new Error("the decision failed");
  });
  await expect(failing).rejects.toThrow("the decision failed");
  expect(await f.store.db.selectFrom("oauth_record").selectAll().execute()).toEqual([]);
});

test("revokeAgent ends refresh and access tokens at once, and nobody else's", async () => {
  const f = await start();
  const anna = await f.mint(ANNA_AGENT);
  const boris = await f.mint(BORIS_AGENT);
  const tokens = tokensOf(await f.redeem(anna.refreshToken, ANNA_AGENT.clientId));
  await f.store.transaction((tx) => f.oauth.revokeAgent(tx, anna.grantId));
  expect(await f.oauth.verifyAccessToken(`Bearer ${tokens.access_token}`)).toEqual({ ok: false, reason: "revoked" });
  expect((await f.redeem(tokens.refresh_token, ANNA_AGENT.clientId)).status).toBe(400);
  expect((await f.redeem(boris.refreshToken, BORIS_AGENT.clientId)).status).toBe(200);
});

test.each([
  ["Host", { path: "/.well-known/oauth-authorization-server", headers: { host: "evil.example" } }],
  [
    "forwarded headers",
    {
      path: "/.well-known/openid-configuration",
      headers: {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        forwarded: "host=evil.example",
      },
    },
  ],
  ["an absolute target", { path: "http://evil.example/.well-known/oauth-authorization-server" }],
  ["a target with two slashes", { path: "//evil.example/.well-known/oauth-authorization-server" }],
])("discovery names no host that came by %s", async (_name, options) => {
  const f = await start();
  const answer = await f.call(options);
  expect(answer.text).not.toContain("evil");
  expect(answer.status).toBe("headers" in options ? 200 : 404);
  if (answer.status !== 200) return;
  expect(JSON.parse(answer.text)).toEqual({
    issuer: ISSUER,
    token_endpoint: `${ISSUER}/oauth/token`,
    jwks_uri: `${ISSUER}/oauth/jwks`,
    authorization_endpoint: `${ISSUER}/oauth/authorize`,
    device_authorization_endpoint: `${ISSUER}/oauth/device/authorize`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    pushed_authorization_request_endpoint: `${ISSUER}/oauth/par`,
    authorization_details_types_supported: ["urn:countersign:grant"],
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: ["ES256", "Ed25519"],
    code_challenge_methods_supported: ["S256"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    token_endpoint_auth_methods_supported: ["none"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    response_types_supported: ["code"],
    scopes_supported: ["agent"],
  });
});

test("the key set holds public keys only", async () => {
  const f = await start();
  const answer = await f.call({ path: "/oauth/jwks" });
  const { keys } = JSON.parse(answer.text);
  expect(keys).toEqual([{ ...f.oauth.jwks.keys[0], alg: "ES256", use: "sig" }]);
  expect(answer.text).not.toContain('"d"');
});

test("nothing but what is served answers, and no answer is a page", async () => {
  const f = await start();
  const paths = [
    "/oauth/session/end",
    "/oauth/session/end/confirm",
    "/oauth/userinfo",
    "/oauth/device",
    "/oauth/register",
    "/oauth/authorize/",
    "/oauth/introspect",
    "/interaction/uid",
    "/oauth/",
    "/oauth/token/",
    "/oauth/%74oken",
    "/",
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST"]) {
      const answer = await f.call({ method, path, headers: { accept: "text/html" } });
      expect([path, method, answer.status]).toEqual([path, method, 404]);
      expect(answer.headers["content-type"]).toBe("application/json");
    }
  }
  const refused = await f.call({
    method: "POST",
    path: "/oauth/token",
    headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
    body: "grant_type=refresh_token&client_id=%3Cscript%3E&refresh_token=x",
  });
  expect(refused.status).toBe(401);
  expect(refused.headers["content-type"]).toMatch(/^application\/json/);
  expect(refused.text).not.toContain("<");
  expect(refused.headers["set-cookie"]).toBeUndefined();
});

test("AUT-4 no token text in any log, on the console, or at rest in the store's files", async () => {
  const printed: string[] = [];
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((...args) => void printed.push(args.join(" ")));
    open.push(() => spy.mockRestore());
  }
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-oauth-"));
  open.push(() => rmSync(dataDir, { recursive: true }));
  const f = await fixture(dataDir);
  const { refreshToken, grantId } = await f.mint(ANNA_AGENT);
  const tokens = tokensOf(await f.redeem(refreshToken, ANNA_AGENT.clientId));
  await f.oauth.verifyAccessToken(`Bearer ${tokens.access_token}`);
  await f.oauth.verifyAccessToken(`Bearer ${tokens.access_token}x`);
  await f.redeem(tokens.refresh_token, BORIS_AGENT.clientId);
  await f.redeem(`${tokens.refresh_token}x`, ANNA_AGENT.clientId);
  const wrongKind = { method: "POST", path: `/oauth/token?refresh_token=${tokens.refresh_token}` };
  await f.call({ ...wrongKind, headers: { "content-type": "application/json" }, body: `{"a":"${refreshToken}"}` });
  await f.redeem(tokens.refresh_token, ANNA_AGENT.clientId);
  await f.store.db
    .updateTable("oauth_record")
    .set({ sealed: Uint8Array.of(1, 2, 3) })
    .execute();
  expect((await f.redeem(tokens.refresh_token, ANNA_AGENT.clientId)).status).toBe(500);
  expect(f.logLines.some((line) => line.startsWith("debug oauth.token_issued"))).toBe(true);
  expect(f.logLines.some((line) => line.startsWith("info oauth.token_refused"))).toBe(true);
  expect(f.logLines.some((line) => line.startsWith("error oauth.server_error"))).toBe(true);
  const logs = [...f.logLines, ...printed].join("\n");
  const secrets = [refreshToken, tokens.refresh_token, tokens.access_token.split(".")[2] ?? "", grantId];
  for (const text of secrets) expect(logs).not.toContain(text.slice(0, 6));
  expect(printed).toEqual([]);

  const privateKey = await f.store.db.selectFrom("signing_key").select("public_jwk").execute();
  expect(privateKey).toHaveLength(1);
  await f.close();
  for (const file of readdirSync(dataDir)) {
    const bytes = readFileSync(join(dataDir, file)).toString("latin1");
    for (const text of secrets) expect(bytes).not.toContain(text);
    expect(bytes).not.toContain('"d":');
    expect(bytes).not.toContain("accountId");
  }
});

test("keys outlive a restart, and a start near a key's end makes the next while the old still verifies", async () => {
  const f = await start();
  const token = tokensOf(await f.redeem((await f.mint(ANNA_AGENT)).refreshToken, ANNA_AGENT.clientId)).access_token;
  const again = (now: number) =>
    createOAuth({ ...f, issuer: ISSUER, resource: RESOURCE, now: () => now, log: recorder([]) });
  const restarted = await again(f.clock.now);
  expect(restarted.jwks).toEqual(f.oauth.jwks);
  expect((await restarted.verifyAccessToken(`Bearer ${token}`)).ok).toBe(true);
  const later = await again(f.clock.now + 300 * 86_400_000);
  expect(later.jwks.keys).toHaveLength(2);
  expect(later.jwks.keys[1]).toEqual(f.oauth.jwks.keys[0]);
  expect(await later.verifyAccessToken(`Bearer ${token}`)).toEqual({ ok: false, reason: "expired" });
  const settled = await again(f.clock.now + 400 * 86_400_000);
  expect(settled.jwks.keys).toEqual([later.jwks.keys[0]]);
});

test.each([
  "http://gateway.example",
  "https://gateway.example/",
  "https://gateway.example/tenant",
  "HTTPS://gateway.example",
  "ftp://localhost",
  "http://localhost.evil.example:4600",
])("the issuer %s is refused", async (issuer) => {
  const f = await start();
  await expect(createOAuth({ ...f, issuer, resource: RESOURCE, now: () => 0, log: recorder([]) })).rejects.toThrow();
});
