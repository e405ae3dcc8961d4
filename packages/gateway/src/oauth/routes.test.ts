import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ANNA_AGENT, BORIS_AGENT, type CallOptions, type Fixture, fixture, ISSUER, send, tokensOf } from "./fixture.ts";
import { registerOAuth } from "./routes.ts";

let f: Fixture;
let app: FastifyInstance;
let port: number;
const logged: string[] = [];
beforeEach(async () => {
  f = await fixture();
  logged.length = 0;
  app = Fastify({ logger: { level: "trace", stream: { write: (line: string) => void logged.push(line) } } });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-content-type-options", "nosniff");
    if (request.headers["x-test-limit"] === "1") await reply.code(429).send({ error: "slow_down" });
  });
  app.post("/v1/echo", async (request) => request.body);
  await registerOAuth(app, f.oauth);
  port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterEach(async () => {
  await app.close();
  await f.close();
});
const call = (options: CallOptions) => send(port, options);

function redeem(refreshToken: string, headers: Readonly<Record<string, string>> = {}) {
  const form = { grant_type: "refresh_token", client_id: ANNA_AGENT.clientId, refresh_token: refreshToken };
  return call({
    method: "POST",
    path: "/oauth/token",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

test("the token endpoint reads its own body behind the caller's hooks, and other routes keep their parsers", async () => {
  const { refreshToken } = await f.mint(ANNA_AGENT);
  expect((await redeem(refreshToken, { "x-test-limit": "1" })).status).toBe(429);
  const answer = await redeem(refreshToken);
  expect((await f.oauth.verifyAccessToken(`Bearer ${tokensOf(answer).access_token}`)).ok).toBe(true);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  const echo = { method: "POST", path: "/v1/echo", headers: { "content-type": "application/json" }, body: '{"a":1}' };
  expect((await call(echo)).text).toBe('{"a":1}');
});

test("discovery, keys and unknown endpoints through the same server", async () => {
  for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]) {
    const answer = await call({ path, headers: { host: "evil.example" } });
    expect(answer.text).not.toContain("evil");
    expect(JSON.parse(answer.text)).toMatchObject({ issuer: ISSUER, token_endpoint: `${ISSUER}/oauth/token` });
  }
  const absolute = await call({ path: "http://evil.example/.well-known/oauth-authorization-server" });
  expect([absolute.status, absolute.text.includes("evil")]).toEqual([404, false]);
  expect(JSON.parse((await call({ path: "/oauth/jwks" })).text).keys).toHaveLength(1);
  expect((await call({ path: "/oauth/register" })).status).toBe(404);
});

test("bodies that are no form, too large or cut off are refused and the server stays up", async () => {
  const post = { method: "POST", path: "/oauth/token" };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const bodies: CallOptions[] = [
    { ...post, headers: { "content-type": "application/json" }, body: "{}" },
    { ...post, headers: form, body: `refresh_token=${"x".repeat(200_000)}` },
    { ...post, headers: form, body: "grant_type=refresh_token&grant_type=refresh_token&client_id=agt_anna" },
    { ...post, headers: { "content-type": "multipart/form-data; boundary=x" }, body: "--x--" },
    { ...post },
  ];
  for (const body of bodies) expect((await call(body)).status).toBeGreaterThanOrEqual(400);
  expect((await redeem((await f.mint(ANNA_AGENT)).refreshToken)).status).toBe(200);
});

test("AUT-4 the server's own log at the finest level holds no token", async () => {
  const { refreshToken } = await f.mint(ANNA_AGENT);
  const tokens = tokensOf(await redeem(refreshToken));
  await f.redeem(tokens.refresh_token, BORIS_AGENT.clientId);
  const text = logged.join("");
  expect(text).toContain("/oauth/token");
  for (const token of [refreshToken, tokens.refresh_token, tokens.access_token.split(".")[2] ?? ""]) {
    expect(text).not.toContain(token.slice(0, 6));
  }
});
