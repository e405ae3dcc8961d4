import { randomUUID } from "node:crypto";
import type { JsonObject } from "@countersign/wire";
import type { JWTPayload } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { Agent } from "./support/agent.ts";
import { send } from "./support/http.ts";
import { type OutsideIssuer, startOutsideIssuer } from "./support/outside-issuer.ts";
import { Person } from "./support/person.ts";
import { inStore, openWorld, type World } from "./support/world.ts";

let outside: OutsideIssuer;
let world: World;
let person: Person;
beforeEach(async () => {
  outside = await startOutsideIssuer();
  const setting = { issuer: outside.issuer, subjects: [{ subject: "alex" }] };
  world = await openWorld({ oauth: { outside: setting } });
  person = await Person.signIn(world);
});
afterEach(async () => {
  await world.close();
  await outside.close();
});

const seconds = () => Math.floor((Date.now() + world.offset()) / 1000);
const claims = (change: JWTPayload = {}): JWTPayload => ({
  iss: outside.issuer,
  aud: `${world.issuer}/v1`,
  sub: "alex",
  client_id: "errands",
  scope: "agent",
  jti: randomUUID(),
  iat: seconds(),
  exp: seconds() + 300,
  ...change,
});
const call = async (token: string, path = "/v1/accounts") =>
  send(world.issuer, "GET", path, { headers: { authorization: `Bearer ${token}` } });
const agents = async (): Promise<readonly JsonObject[]> =>
  (await person.get("/agents")).json["agents"] as readonly JsonObject[];

/** The client's first token asks the person, who says yes. */
async function accepted(client = "errands"): Promise<string> {
  const token = await outside.token(claims({ client_id: client }));
  expect((await call(token)).status).toBe(401);
  const asked = (await agents()).find(({ state }) => state === "requested");
  const yes = await person.post(`/agents/${String(asked?.["client_id"])}/decision`, { decision: "accept" });
  expect(yes.status).toBe(200);
  return token;
}

describe("AUT-3 an outside issuer in place of the gateway's own", () => {
  it("is what the metadata names; the gateway's own endpoints are not there, and no credential is made here", async () => {
    const metadata = await send(world.issuer, "GET", "/.well-known/oauth-protected-resource/v1");
    expect(metadata.json["authorization_servers"]).toEqual([outside.issuer]);
    const profile = await send(world.issuer, "GET", "/.well-known/agentic-web-execution");
    expect(profile.json["authorization_servers"]).toEqual([outside.issuer]);
    for (const path of ["/.well-known/oauth-authorization-server", "/oauth/jwks", "/oauth/authorize"])
      expect((await send(world.issuer, "GET", path)).status).toBe(404);
    expect(await askGateway(world.dataDir, { command: "agent_add", name: "Errands" })).toMatchObject({
      ok: false,
      reason: { reason: "outside_issuer" },
    });
  });

  it("its client is nobody until the person says yes, asks them once, and acts within grants alone", async () => {
    const first = await outside.token(claims());
    for (let i = 0; i < 3; i += 1) expect((await call(first)).status).toBe(401);
    expect(await agents()).toEqual([
      expect.objectContaining({ state: "requested", name: `${new URL(outside.issuer).host}: errands` }),
    ]);
    const token = await accepted();
    expect((await call(token)).status).toBe(200);
    expect(outside.looks()).toBe(1);
    const agent = new Agent(world, "errands", token);
    const task = await agent.post("/v1/tasks", { operation: "retail.orders.list" });
    expect(task.status).toBe(400);
    expect(
      (await agent.askGrant({ destination: "practice-shop", operations: ["retail.orders.list"] })).length,
    ).toBeGreaterThan(0);
  });

  it("a revoked one stays out, and asks no more", async () => {
    const token = await accepted();
    const [agent] = await agents();
    expect((await person.post(`/agents/${String(agent?.["client_id"])}/revoke`, {})).status).toBe(200);
    expect((await call(token)).status).toBe(401);
    expect((await call(await outside.token(claims()))).status).toBe(401);
    expect((await agents()).filter(({ state }) => state === "requested")).toEqual([]);
  });

  it("two clients are two agents, each with grants of its own", async () => {
    const one = new Agent(world, "one", await accepted("one"));
    const two = new Agent(world, "two", await accepted("two"));
    await one.askGrant({ destination: "practice-shop", operations: ["retail.orders.list"] });
    const asked = await inStore(world.gateway, (db) => db.selectFrom("consent").select("client_id").execute());
    const ids = new Map((await agents()).map(({ name, client_id: id }) => [name, id]));
    const { host } = new URL(outside.issuer);
    expect(asked).toEqual([{ client_id: ids.get(`${host}: one`) }]);
    expect(ids.get(`${host}: two`)).not.toBe(ids.get(`${host}: one`));
    expect((await two.get("/v1/accounts")).status).toBe(200);
  });

  it("U50 every other token is refused, and none of them asks the person", async () => {
    const wrong: readonly (readonly [string, JWTPayload])[] = [
      ["another issuer", { iss: "https://elsewhere.example" }],
      ["the issuer with a slash", { iss: `${outside.issuer}/` }],
      ["another audience", { aud: "https://other.example/v1" }],
      ["the gateway, not its API", { aud: world.issuer }],
      ["two audiences", { aud: [`${world.issuer}/v1`, "https://other.example"] }],
      ["no audience", { aud: undefined as never }],
      ["a subject whom nobody named", { sub: "boris" }],
      ["another spelling of the subject", { sub: "Alex" }],
      ["no scope", { scope: undefined }],
      ["another scope", { scope: "agents openid" }],
      ["over", { exp: seconds() - 1 }],
      ["without an end", { exp: undefined as never }],
      ["without an id", { jti: undefined as never }],
      ["without a client", { client_id: undefined }],
      ["a client with a space", { client_id: "errands x" }],
      ["bound to a key that is not shown", { cnf: { jkt: "x".repeat(43) } }],
      ["bound in a way that is not understood", { cnf: { "x5t#S256": "x" } }],
    ];
    for (const [what, change] of wrong) {
      const reply = await call(await outside.token(JSON.parse(JSON.stringify(claims(change)))));
      expect([what, reply.status]).toEqual([what, 401]);
      expect(reply.headers["www-authenticate"]).toContain("resource_metadata=");
    }
    expect((await call(await outside.token(claims(), { typ: "JWT" }))).status).toBe(401);
    expect((await call(await outside.token(claims(), { alg: "HS256" }))).status).toBe(401);
    const stranger = await startOutsideIssuer();
    expect((await call(await stranger.token(claims()))).status).toBe(401);
    await stranger.close();
    expect(await agents()).toEqual([]);
  });

  it("a token of the gateway's own is none, even one that was made before", async () => {
    await world.close();
    world = await openWorld();
    person = await Person.signIn(world);
    const ours = await Agent.join(world, person);
    expect((await ours.get("/v1/accounts")).status).toBe(200);
    const { token } = ours;
    await world.close();
    const setting = { issuer: outside.issuer, subjects: [{ subject: "alex" }] };
    world = await openWorld({ oauth: { outside: setting } });
    person = await Person.signIn(world);
    expect((await call(token)).status).toBe(401);
  });

  it("an outage of it refuses nobody whose key is known", async () => {
    const token = await accepted();
    outside.up = false;
    expect((await call(token)).status).toBe(200);
    outside.up = true;
  });

  it("one that cannot be asked is busy, not wrong, and is asked again after a pause", async () => {
    outside.up = false;
    const token = await outside.token(claims());
    expect((await call(token)).status).toBe(503);
    outside.up = true;
    expect((await call(token)).status).toBe(503);
    world.advance(31_000);
    expect((await call(await outside.token(claims()))).status).toBe(401);
    expect(await agents()).toHaveLength(1);
  });

  it("no more than twenty may wait for an answer", async () => {
    for (let i = 0; i < 22; i += 1) await call(await outside.token(claims({ client_id: `client-${i}` })));
    const rows = await inStore(world.gateway, (db) => db.selectFrom("agent").select("client_id").execute());
    expect(rows).toHaveLength(20);
  });
});
