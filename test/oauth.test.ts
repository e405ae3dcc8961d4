import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, type JsonObject } from "@countersign/wire";
import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { Agent, hoursAhead, orderRequest } from "./support/agent.ts";

import { send, until } from "./support/http.ts";
import { Browser, type DocumentServer, OAuthClient, pageRef, serveDocument } from "./support/oauth-client.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

// A client that knows only the gateway's address, a person in a browser, and everything between them over HTTP.

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Stage {
  readonly world: World;
  readonly person: Person;
  readonly browser: Browser;
  readonly site: DocumentServer;
  readonly client: OAuthClient;
}

async function stage(): Promise<Stage> {
  const world = await openWorld({ oauth: { documents: "loopback_too" } });
  open.push(() => world.close());
  const site = await serveDocument();
  open.push(() => site.close());
  const person = await Person.signIn(world);
  const client = await OAuthClient.discover(world.issuer, site.clientId);
  return { world, person, browser: new Browser(world.issuer, person), site, client };
}

const letIn = (): JsonObject => ({ decision: "allow" });

const READ = "retail.orders.list";
const BUY = "retail.order.submit";

function grantFor(view: JsonObject, accountRef: string, change: JsonObject = {}): JsonObject {
  const [destination] = view["destinations"] as JsonObject[];
  assert(destination !== undefined, "there is a destination");
  const asked = destination["asked"] as JsonObject;
  return {
    decision: "allow",
    grant: {
      destination: destination["id"] ?? "",
      account_ref: accountRef,
      ...asked,
      expires_at: hoursAhead(24),
      ...change,
    },
  };
}

/** From the link to what the client receives: the person says yes to everything, but for a change. */
async function toCode(
  s: Stage,
  decide: (view: JsonObject) => JsonObject,
  parameters: Parameters<OAuthClient["begin"]>[0] = {},
) {
  const begun = await s.client.begin(parameters);
  const ref = pageRef(await s.browser.open(begun.url));
  const view = await s.browser.get(`/authorizations/${ref}`);
  expect(view.status).toBe(200);
  const decided = await s.browser.post(`/authorizations/${ref}/decision`, decide(view.json));
  expect([decided.status, decided.text.includes("onward")]).toEqual([200, true]);
  const back = await s.browser.open(String(decided.json["onward"]));
  expect(back.status).toBe(303);
  return { begun, ref, location: String(back.headers.location) };
}

async function toTokens(
  s: Stage,
  decide: (view: JsonObject) => JsonObject,
  parameters: Parameters<OAuthClient["begin"]>[0] = {},
) {
  const { begun, location } = await toCode(s, decide, parameters);
  return s.client.redeem(s.client.callback(location, begun.state), begun.verifier);
}

describe("authorization code with PKCE, answered on the person's own page", () => {
  it("MAP-1 from nothing but the gateway's address to a purchase, under what the person picked", async () => {
    const s = await stage();
    const accountRef = await s.person.connectShop("http");
    const tokens = await toTokens(s, (view) => grantFor(view, accountRef, { operations: [READ, BUY] }));
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 300, scope: "agent" });
    const [detail] = tokens.authorization_details as unknown as JsonObject[];
    assert(detail !== undefined, "what was given comes back");
    expect(detail).toMatchObject({ type: "urn:countersign:grant", account_ref: accountRef, operations: [READ, BUY] });
    const claims = decodeJwt(tokens.access_token);
    expect(claims).toMatchObject({ iss: s.world.issuer, aud: `${s.world.issuer}/v1`, client_id: s.site.clientId });
    expect(claims["authorization_details"]).toEqual([{ type: detail["type"], consent_ref: detail["consent_ref"] }]);
    const agent = new Agent(s.world, String(claims["agent"]), tokens.access_token);
    const references = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json["references"] as JsonObject[];
    const fulfillmentRef = String(references.find((r) => r["label"] === "Home")?.["ref"]);
    const consentRef = String(detail["consent_ref"]);
    const placed = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef }));
    expect([placed.status, placed.json["client_id"] ?? ""]).toEqual([201, ""]);
    const agents = (await s.person.get("/agents")).json["agents"] as JsonObject[];
    expect(agents).toMatchObject([{ state: "accepted", name: `${new URL(s.site.clientId).host}: Errand helper` }]);
  });

  it("AUT-2 a client is let in with nothing, and acts for nobody else; a second yes adds no second agent", async () => {
    const s = await stage();
    const first = await toTokens(s, letIn);
    const again = await toTokens(s, letIn);
    expect(first.authorization_details ?? []).toEqual([]);
    const agents = (await s.person.get("/agents")).json["agents"] as JsonObject[];
    expect(agents).toHaveLength(1);
    const agent = new Agent(s.world, "", again.access_token);
    expect((await agent.get("/v1/accounts")).json["accounts"]).toEqual([]);
    await s.person.post(`/agents/${String(agents[0]?.["client_id"])}/revoke`);
    for (const tokens of [first, again]) {
      expect((await new Agent(s.world, "", tokens.access_token).get("/v1/tasks")).status).toBe(401);
      await expect(s.client.refresh(String(tokens.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
    }
    // Coming back is a new agent: what the old one was is not given to it.
    await toTokens(s, letIn);
    const now = (await s.person.get("/agents")).json["agents"] as JsonObject[];
    expect(now.map((a) => a["state"]).sort()).toEqual(["accepted", "revoked"]);
  });

  it("CON-1 what is asked for by name comes back narrowed, and never wider", async () => {
    const s = await stage();
    const accountRef = await s.person.connectShop("http");
    const limits = { max_total_minor: 6_000, currency: "EUR" };
    const detail = { type: "urn:countersign:grant", destination: "practice-shop", operations: [READ, BUY], limits };
    const parameters = { authorization_details: JSON.stringify([{ ...detail, purpose: "Your weekly tea" }]) };
    const begun = await s.client.begin(parameters);
    const ref = pageRef(await s.browser.open(begun.url));
    const view = (await s.browser.get(`/authorizations/${ref}`)).json;
    expect(view).toMatchObject({ by_name: true, purpose: "Your weekly tea", destinations: [{ id: "practice-shop" }] });
    const decide = (change: JsonObject) =>
      s.browser.post(`/authorizations/${ref}/decision`, grantFor(view, accountRef, change));
    for (const wider of [
      { operations: [READ, BUY, "subscription.cancel"] },
      { limits: { ...limits, max_total_minor: 6_001 } },
      { limits: {} },
      { expires_at: hoursAhead(24 * 400) },
    ])
      expect([(await decide(wider)).json["reason"], wider]).toEqual(["invalid_request", wider]);
    expect((await s.browser.post(`/authorizations/${ref}/decision`, { decision: "allow" })).status).toBe(409);
    const narrower = { operations: [BUY], limits: { ...limits, max_total_minor: 500 } };
    const decided = await decide(narrower);
    expect(decided.status).toBe(200);
    const back = await s.browser.open(String(decided.json["onward"]));
    const callback = s.client.callback(String(back.headers.location), begun.state);
    const tokens = await s.client.redeem(callback, begun.verifier);
    expect(tokens.authorization_details).toMatchObject([{ ...narrower, consent_ref: expect.stringMatching(/^cons_/) }]);
    const refreshed = await s.client.refresh(String(tokens.refresh_token));
    expect(refreshed.authorization_details).toEqual(tokens.authorization_details);
  });

  it.each<[string, JsonObject]>([
    ["an unknown destination", { destination: "nowhere", operations: [READ] }],
    ["an operation that is not offered", { destination: "practice-shop", operations: ["bank.transfer.submit"] }],
    ["a member that is unknown", { destination: "practice-shop", operations: [READ], also: 1 }],
    ["neither destination nor account", { operations: [READ] }],
    [
      "a time that has passed",
      { destination: "practice-shop", operations: [READ], expires_at: "2020-01-01T00:00:00Z" },
    ],
    ["another type", { type: "other", destination: "practice-shop", operations: [READ] }],
  ])("CON-1 nobody is asked for %s", async (_name, change) => {
    const s = await stage();
    const details = JSON.stringify([{ type: "urn:countersign:grant", ...change }]);
    const begun = await s.client.begin({ authorization_details: details });
    const back = await s.browser.open(begun.url);
    const location = new URL(String(back.headers.location));
    expect(location.searchParams.get("error")).toBe("invalid_authorization_details");
    expect(location.searchParams.get("iss")).toBe(s.world.issuer);
  });

  it("a no is a no: the client hears access_denied, and nothing is there", async () => {
    const s = await stage();
    const { begun, location } = await toCode(s, () => ({ decision: "refuse" }));
    expect(() => s.client.callback(location, begun.state)).toThrowError(
      expect.objectContaining({ error: "access_denied" }),
    );
    expect(new URL(location).searchParams.get("iss")).toBe(s.world.issuer);
    expect((await s.person.get("/agents")).json["agents"]).toEqual([]);
  });

  it("U23 a second press of one's own answer is the same answer, and another answer is a conflict", async () => {
    const s = await stage();
    const begun = await s.client.begin();
    const ref = pageRef(await s.browser.open(begun.url));
    const post = (body: JsonObject) => s.browser.post(`/authorizations/${ref}/decision`, body);
    const all = await Promise.all(Array.from({ length: 5 }, () => post(letIn())));
    expect(new Set(all.map((r) => `${r.status} ${r.text}`)).size).toBe(1);
    expect((await post({ decision: "refuse" })).json["reason"]).toBe("conflict");
    expect(((await s.person.get("/agents")).json["agents"] as unknown[]).length).toBe(1);
  });
});

describe("who may answer", () => {
  it("U39 a link that somebody else began opens nothing, and an answer from there is none", async () => {
    const s = await stage();
    const begun = await s.client.begin();
    const ref = pageRef(await s.browser.open(begun.url));
    const victim = new Browser(s.world.issuer, s.person);
    await victim.open((await s.client.begin()).url);
    for (const other of [new Browser(s.world.issuer, s.person), victim]) {
      expect((await other.get(`/authorizations/${ref}`)).status).toBe(404);
      expect((await other.post(`/authorizations/${ref}/decision`, letIn())).status).toBe(404);
    }
    const unknown = await s.browser.get("/authorizations/unknownunknownunknown1");
    const foreign = await victim.get(`/authorizations/${ref}`);
    expect(foreign.text).toBe(unknown.text);
    expect((await s.person.get("/agents")).json["agents"]).toEqual([]);
    // And whoever answered takes the answer nowhere from another browser.
    const own = await s.browser.post(`/authorizations/${ref}/decision`, letIn());
    const taken = await victim.open(String(own.json["onward"]));
    expect([taken.status, taken.headers.location]).toEqual([303, "/authorize/problem.invalid_request"]);
  });

  it("U35 a forged answer is refused: another origin, another session's page token, an agent's token, nobody", async () => {
    const s = await stage();
    const ref = pageRef(await s.browser.open((await s.client.begin()).url));
    const path = `/authorizations/${ref}/decision`;
    const other = await Person.signIn(s.world);
    const forged: readonly (readonly [Record<string, string>, number])[] = [
      [{ origin: "https://evil.example" }, 403],
      [{ "sec-fetch-site": "cross-site" }, 403],
      [{ "x-countersign": other.pageToken }, 403],
      [{ "x-countersign": "1" }, 403],
      [{ authorization: "Bearer x" }, 403],
      [{ cookie: s.browser.cookies.map((c) => `${c.name}=${c.value}`).join("; ") }, 401],
    ];
    for (const [headers, status] of forged)
      expect([headers, (await s.browser.post(path, letIn(), headers)).status]).toEqual([headers, status]);
    expect((await s.person.get("/agents")).json["agents"]).toEqual([]);
  });

  it("U38 looking at the page, by whomever, spends nothing", async () => {
    const s = await stage();
    const begun = await s.client.begin();
    const ref = pageRef(await s.browser.open(begun.url));
    for (let n = 0; n < 20; n += 1) {
      await send(s.world.issuer, "GET", `/authorize/${ref}`, { headers: { "user-agent": "Slackbot" } });
      await send(s.world.issuer, "GET", `/oauth/authorize/${ref}`, { headers: { "user-agent": "Slackbot" } });
      await s.browser.get(`/authorizations/${ref}`);
    }
    const decided = await s.browser.post(`/authorizations/${ref}/decision`, letIn());
    expect((await s.browser.open(String(decided.json["onward"]))).headers.location).toContain("code=");
  });

  it("who was signed in at the last answer counts for nothing at the next", async () => {
    const s = await stage();
    await toTokens(s, letIn);
    expect(s.browser.cookies.map((c) => c.name).filter((name) => name.startsWith("_session"))).toEqual([]);
    const signedOut = new Browser(s.world.issuer);
    signedOut.cookies.push(...s.browser.cookies);
    const begun = await s.client.begin({ prompt: "none" });
    const location = new URL(String((await signedOut.open(begun.url)).headers.location));
    expect(location.searchParams.get("error")).toMatch(/_required$/);
    const ref = pageRef(await signedOut.open((await s.client.begin()).url));
    expect((await signedOut.get(`/authorizations/${ref}`)).status).toBe(401);
  });
});

describe("what the authorization server refuses", () => {
  const refused = async (response: Promise<Response>) => {
    const answer = await response;
    return [answer.status, ((await answer.json()) as JsonObject)["error"]];
  };

  it("a wrong verifier, another redirect, another client, and a code a second time, which ends what the first gave", async () => {
    const s = await stage();
    const made = async () => {
      const { begun, location } = await toCode(s, letIn);
      return { verifier: begun.verifier, parameters: s.client.callback(location, begun.state) };
    };
    const one = await made();
    expect(await refused(s.client.redeemRaw(one.parameters, `${one.verifier.slice(0, -1)}~`))).toEqual([
      400,
      "invalid_grant",
    ]);
    const other = { redirectUri: "http://127.0.0.1:49153/callback" };
    expect(await refused(s.client.redeemRaw(one.parameters, one.verifier, other))).toEqual([400, "invalid_grant"]);
    const elsewhere = { resource: "https://other.example/v1" };
    expect(await refused(s.client.redeemRaw(one.parameters, one.verifier, elsewhere))).toEqual([400, "invalid_target"]);
    const two = await made();
    const site = await serveDocument();
    open.push(() => site.close());
    const stranger = await OAuthClient.discover(s.world.issuer, site.clientId);
    await stranger.begin().then((begun) => s.browser.open(begun.url));
    const stolen = stranger.callback(`${s.client.redirectUri}?${two.parameters}`, String(two.parameters.get("state")));
    expect(await refused(stranger.redeemRaw(stolen, two.verifier))).toEqual([400, "invalid_grant"]);
    const three = await made();
    const tokens = await s.client.redeem(three.parameters, three.verifier);
    const agent = new Agent(s.world, "", tokens.access_token);
    expect((await agent.get("/v1/tasks")).status).toBe(200);
    expect(await refused(s.client.redeemRaw(three.parameters, three.verifier))).toEqual([400, "invalid_grant"]);
    expect((await agent.get("/v1/tasks")).status).toBe(401);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["a token instead of a code", { response_type: "token" }, "invalid_request"],
    ["a foreign resource", { resource: "https://other.example/v1" }, "invalid_target"],
    ["our resource with a slash", { resource: "SELF/v1/" }, "invalid_target"],
    ["an answer as a form", { response_mode: "form_post" }, "invalid_request"],
  ])("%s", async (_name, change, error) => {
    const s = await stage();
    const resource = change["resource"]?.replace("SELF", s.world.issuer);
    const begun = await s.client.begin({ ...change, ...(resource === undefined ? {} : { resource }) });
    const reply = await s.browser.open(begun.url);
    const location = new URL(String(reply.headers.location), s.world.issuer);
    const said = location.searchParams.get("error") ?? new URLSearchParams(location.hash.slice(1)).get("error");
    expect(said ?? location.pathname).toBe(said === null ? `/authorize/problem.${error}` : error);
  });

  it("two resources at once are none", async () => {
    const s = await stage();
    const begun = await s.client.begin({ resource: `${s.world.issuer}/v1` });
    const reply = await s.browser.open(`${begun.url}&resource=${encodeURIComponent(`${s.world.issuer}/v1`)}`);
    expect(new URL(String(reply.headers.location)).searchParams.get("error")).toBe("invalid_target");
  });

  it.each([
    "http://127.0.0.1:49152/other",
    "http://evil.example/callback",
    "https://evil.example/callback",
    "http://localhost:49152/callback",
    "http://127.0.0.1:49152/callback?x=1",
    "http://user@127.0.0.1:49152/callback",
    "app.example:/callback",
    "javascript:alert(1)",
  ])("an answer never goes to %s, and no page is sent there", async (redirectUri) => {
    const s = await stage();
    const reply = await s.browser.open((await s.client.begin({ redirect_uri: redirectUri })).url);
    expect([reply.status, reply.headers.location]).toEqual([303, "/authorize/problem.invalid_redirect_uri"]);
  });

  it("a mix-up is seen by `iss`, and a state that is missing or another one by the client (RFC 9207)", async () => {
    const s = await stage();
    const { begun, location } = await toCode(s, letIn);
    const changed = new URL(location);
    changed.searchParams.set("iss", "https://other.example");
    expect(() => s.client.callback(changed.href, begun.state)).toThrow(/iss/);
    changed.searchParams.delete("iss");
    expect(() => s.client.callback(changed.href, begun.state)).toThrow(/iss/);
    expect(() => s.client.callback(location, "another")).toThrow(/state/);
    const stateless = await s.client.begin({ state: undefined });
    const ref = pageRef(await s.browser.open(stateless.url));
    const decided = await s.browser.post(`/authorizations/${ref}/decision`, letIn());
    const back = await s.browser.open(String(decided.json["onward"]));
    expect(() => s.client.callback(String(back.headers.location), stateless.state)).toThrow(/state/);
  });

  it("a request that was pushed is answered once, and cannot be changed on the way", async () => {
    const s = await stage();
    const begun = await s.client.begin();
    const url = await s.client.push(begun);
    const ref = pageRef(await s.browser.open(`${url}&redirect_uri=https://evil.example/`));
    const decided = await s.browser.post(`/authorizations/${ref}/decision`, letIn());
    const back = await s.browser.open(String(decided.json["onward"]));
    const callback = s.client.callback(String(back.headers.location), begun.state);
    expect((await s.client.redeem(callback, begun.verifier)).access_token).toBeDefined();
    expect((await s.browser.open(url)).headers.location).toMatch(
      /problem\.invalid_request_uri$|error=invalid_request_uri/,
    );
  });

  it("dynamic registration is off", async () => {
    const s = await stage();
    expect(s.client.server.registration_endpoint).toBeUndefined();
    expect((await send(s.world.issuer, "POST", "/oauth/register", { body: "{}" })).status).toBe(404);
  });
});

describe("a client ends what it was given", () => {
  it("CON-1 a revoked refresh token ends agent, grant, tokens and the tasks that were not submitted", async () => {
    const s = await stage();
    const accountRef = await s.person.connectShop("http");
    const tokens = await toTokens(s, (view) => grantFor(view, accountRef));
    const [detail] = tokens.authorization_details as unknown as JsonObject[];
    const consentRef = String(detail?.["consent_ref"]);
    const agent = new Agent(s.world, "", tokens.access_token);
    const references = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json["references"] as JsonObject[];
    const fulfillmentRef = String(references.find((r) => r["label"] === "Home")?.["ref"]);
    const task = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef }));
    const taskId = String(task.json["task_id"]);
    const approval = await s.person.approvalFor(taskId);
    await s.client.revoke(String(tokens.refresh_token));
    expect((await agent.get("/v1/tasks")).status).toBe(401);
    await expect(s.client.refresh(String(tokens.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
    const ended = await until(
      () => s.person.get(`/tasks/${taskId}`),
      (reply) => reply.json["state"] === "denied",
      "the task that was not submitted to be stopped",
    );
    expect(ended.json["reason"]).toBe("grant_revoked");
    expect((await s.person.decide(approval, "approved")).status).toBe(409);
    expect((await s.person.get(`/consents/${consentRef}`)).json["state"]).toBe("revoked");
    expect(s.world.shop.control.counters().submits).toBe(0);
    // Saying it again, or of what never was, is no failure (RFC 7009 section 2.2).
    await s.client.revoke(String(tokens.refresh_token));
    await s.client.revoke("nothing");
  });

  it("CON-1 of two answers to one client, only the one that is given back ends, with its own tasks", async () => {
    const s = await stage();
    const accountRef = await s.person.connectShop("http");
    const ask = async () => {
      const tokens = await toTokens(s, (view) => grantFor(view, accountRef));
      const [detail] = tokens.authorization_details as unknown as JsonObject[];
      return { tokens, consentRef: String(detail?.["consent_ref"]) };
    };
    const first = await ask();
    const second = await ask();
    const agent = new Agent(s.world, "", second.tokens.access_token);
    const references = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json["references"] as JsonObject[];
    const fulfillmentRef = String(references.find((r) => r["label"] === "Home")?.["ref"]);
    const placed = async (consentRef: string, item: string) => {
      const refs = { accountRef, consentRef, fulfillmentRef };
      const task = await agent.post("/v1/tasks", orderRequest(refs, { parameters: { item_ref: item } }));
      const taskId = String(task.json["task_id"]);
      await s.person.approvalFor(taskId);
      return taskId;
    };
    const ended = await placed(first.consentRef, "TL-200");
    await s.client.revoke(String(first.tokens.refresh_token));
    await until(
      () => agent.task(ended),
      (reply) => reply.json["state"] === "denied",
      "the task under the first answer to be stopped",
    );
    const going = await placed(second.consentRef, "TL-200");
    expect((await agent.task(going)).json["state"]).toBe("approval_required");
    expect((await new Agent(s.world, "", first.tokens.access_token).get("/v1/tasks")).status).toBe(401);
    const agents = (await s.person.get("/agents")).json["agents"] as JsonObject[];
    expect(agents.map((a) => a["state"])).toEqual(["accepted"]);
  });

  it("a token of another client is not this one's to revoke", async () => {
    const s = await stage();
    const tokens = await toTokens(s, letIn);
    const site = await serveDocument();
    open.push(() => site.close());
    const stranger = await OAuthClient.discover(s.world.issuer, site.clientId);
    await stranger.begin().then((begun) => s.browser.open(begun.url));
    await stranger.revoke(String(tokens.refresh_token));
    expect((await s.client.refresh(String(tokens.refresh_token))).access_token).toBeDefined();
  });

  it("a refresh token is used once; the second use ends every token, and leaves the person's grant alone", async () => {
    const s = await stage();
    const accountRef = await s.person.connectShop("http");
    const tokens = await toTokens(s, (view) => grantFor(view, accountRef));
    const next = await s.client.refresh(String(tokens.refresh_token));
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    await expect(s.client.refresh(String(tokens.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
    await expect(s.client.refresh(String(next.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
    expect((await new Agent(s.world, "", next.access_token).get("/v1/tasks")).status).toBe(401);
    const [detail] = tokens.authorization_details as unknown as JsonObject[];
    expect((await s.person.get(`/consents/${String(detail?.["consent_ref"])}`)).json["state"]).toBe("granted");
  });
});

describe("what a client finds by itself", () => {
  it("RFC 9728 a 401 names the resource's document, the document the issuer, the issuer its endpoints (RFC 8414)", async () => {
    const s = await stage();
    const challenge = String((await send(s.world.issuer, "GET", "/v1/tasks")).headers["www-authenticate"]);
    const url = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    expect(challenge).not.toContain("error");
    const document = (await send(s.world.issuer, "GET", new URL(url).pathname)).json;
    expect(document).toEqual({
      resource: `${s.world.issuer}/v1`,
      authorization_servers: [s.world.issuer],
      scopes_supported: ["agent"],
      bearer_methods_supported: ["header"],
    });
    for (const path of ["", "/", "/v1/", "/other"])
      expect((await send(s.world.issuer, "GET", `/.well-known/oauth-protected-resource${path}`)).status).toBe(404);
    expect(s.client.server).toMatchObject({
      issuer: s.world.issuer,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });
});

describe("secrets", () => {
  it("AUT-4 no code, verifier or token is in any log line at the finest level, or in clear at rest", async () => {
    const s = await stage();
    const { begun, location } = await toCode(s, letIn);
    const parameters = s.client.callback(location, begun.state);
    const tokens = await s.client.redeem(parameters, begun.verifier);
    const next = await s.client.refresh(String(tokens.refresh_token));
    await s.client.redeemRaw(parameters, begun.verifier);
    await s.client.refresh(`${String(next.refresh_token)}x`).catch(() => undefined);
    const cookies = s.browser.cookies.map((c) => c.value);
    const secrets = [String(parameters.get("code")), begun.verifier, String(tokens.refresh_token)].concat(
      [String(next.refresh_token), tokens.access_token.split(".")[2] ?? ""],
      cookies.filter((value) => value.length > 20),
    );
    const logs = s.world.logLines.join("\n");
    for (const secret of secrets) expect(logs).not.toContain(secret.slice(0, 8));
    await s.world.restart(async () => {
      for (const file of readdirSync(s.world.dataDir, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        const bytes = readFileSync(join(file.parentPath, file.name)).toString("latin1");
        for (const secret of secrets) expect([file.name, bytes.includes(secret)]).toEqual([file.name, false]);
      }
    });
  });
});
