import type { JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "../../../../test/support/http.ts";
import { Person } from "../../../../test/support/person.ts";
import { approve, ask, buy } from "./buy.ts";
import { goThere, signInUpstream, type UpstreamWorld, upstreamWorld } from "./world.ts";

let ready: UpstreamWorld;
beforeEach(async () => {
  ready = await upstreamWorld();
});
afterEach(() => ready.close());

async function continuationOf(taskId: string): Promise<string> {
  const task = await ready.agent.reaches(taskId, "authentication_required");
  expect(task).toMatchObject({ state: "authentication_required" });
  return String((task["continuation"] as JsonObject | undefined)?.["ref"] ?? task["continuation_ref"]);
}

it("AUT-3 an upstream that no longer takes the token asks the person, and the task goes on after the sign-in", async () => {
  const { agent, person, upstream } = ready;
  upstream.oauth.revokeAll();
  const taskId = await ask(ready, 1);
  const ref = await continuationOf(taskId);
  await signInUpstream(person, ref);
  await agent.reaches(taskId, "approval_required");
  const view = await person.approvalFor(taskId);
  upstream.oauth.revokeAll();
  await person.decide(view, "approved");
  // Signed out between the approval and the order: asked again, under the same approval.
  await signInUpstream(person, await continuationOf(taskId));
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(upstream.shop.orders).toHaveLength(1);
});

it("U48 tokens at their end are renewed once, kept before they are used, and nobody is asked", async () => {
  const { upstream } = ready;
  upstream.oauth.revokeAccess();
  expect(await buy(ready, 2)).toMatchObject({ state: "succeeded" });
  expect(upstream.oauth.refreshed).toBe(1);
  expect(upstream.oauth.reused).toBe(0);
  // What was renewed is what is kept: after a restart it is taken as it is.
  await ready.world.restart();
  expect(await buy(ready, 3)).toMatchObject({ state: "succeeded" });
  expect(upstream.oauth.refreshed).toBe(1);
  expect(upstream.shop.orders).toHaveLength(2);
});

it("a right that was not given yet is asked for together with those that were", async () => {
  const { person, agent, upstream } = ready;
  upstream.needs.set("quote", "shop.quotes");
  const taskId = await ask(ready, 1);
  await signInUpstream(person, await continuationOf(taskId));
  expect(upstream.oauth.asked.at(-1)?.get("scope")?.split(" ").sort()).toEqual(["shop", "shop.quotes"]);
  await approve(ready, taskId);
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
});

it("U39 an answer counts once, for the session that went there, with the state that it was given", async () => {
  const { person, upstream, world } = ready;
  const begun = await person.post("/connections", { destination: "upstream", route: "mcp" });
  const ref = String(begun.json["continuation_ref"]);
  const back = await goThere(person, ref);
  const other = await Person.signIn(world);
  expect((await other.post(`/continuations/${ref}/returned`, { answer: back.search })).status).toBe(409);
  const forged = new URLSearchParams(back.search);
  forged.set("state", `${ref}.${"x".repeat(43)}`);
  expect((await person.post(`/continuations/${ref}/returned`, { answer: `?${forged}` })).status).toBe(410);
  const given = upstream.oauth.tokens().length;
  const done = await person.post(`/continuations/${ref}/returned`, { answer: back.search });
  expect(done.json).toMatchObject({ kind: "done" });
  expect(upstream.oauth.tokens().length).toBe(given + 2);
  const again = await person.post(`/continuations/${ref}/returned`, { answer: back.search });
  expect(again.status).toBe(410);
  expect(upstream.oauth.tokens().length).toBe(given + 2);
});

it("RFC 9207 an answer of another authorization server is refused before its code is looked at", async () => {
  const { person, upstream } = ready;
  upstream.oauth.saysIss = "https://evil.example";
  const begun = await person.post("/connections", { destination: "upstream", route: "mcp" });
  const ref = String(begun.json["continuation_ref"]);
  const given = upstream.oauth.tokens().length;
  const back = await goThere(person, ref);
  const done = await person.post(`/continuations/${ref}/returned`, { answer: back.search });
  expect(done.json).toMatchObject({ kind: "refused" });
  expect(upstream.oauth.tokens().length).toBe(given);
});

it.each<[string, (w: UpstreamWorld) => void]>([
  [
    "metadata of another resource",
    (w) => {
      w.upstream.oauth.resourceMetadata = { resource: "https://other.example/mcp" };
    },
  ],
  [
    "an authorization server outside the destination",
    (w) => {
      w.upstream.oauth.resourceMetadata = { authorization_servers: ["https://evil.example"] };
    },
  ],
  [
    "an issuer that is not the one asked",
    (w) => {
      w.upstream.oauth.metadata = { issuer: "https://evil.example" };
    },
  ],
  [
    "no PKCE",
    (w) => {
      w.upstream.oauth.metadata = { code_challenge_methods_supported: ["plain"] };
    },
  ],
  [
    "a token endpoint elsewhere",
    (w) => {
      w.upstream.oauth.metadata = { token_endpoint: "https://evil.example/token" };
    },
  ],
])("nobody is sent anywhere by %s", async (_name, change) => {
  const { person, upstream } = ready;
  change(ready);
  const asked = upstream.oauth.asked.length;
  const begun = await person.post("/connections", { destination: "upstream", route: "mcp" });
  const begin = await person.post(`/continuations/${String(begun.json["continuation_ref"])}/begin`);
  expect([begin.status === 200, begin.json["reason"]]).toEqual([false, "site_unavailable"]);
  expect(upstream.oauth.asked.length).toBe(asked);
});

it("U42 a disconnected account is not used, its tokens are kept no longer, and the server hears that they are over", async () => {
  const { person, agent, accountRef, upstream } = ready;
  const before = upstream.oauth.alive();
  expect(before).toBeGreaterThan(0);
  // What the server makes of it changes nothing here.
  upstream.oauth.revocationStatus = 500;
  expect((await person.post(`/accounts/${accountRef}/disconnect`)).status).toBe(204);
  await until(
    async () => upstream.oauth.alive(),
    (alive) => alive === before - 1,
    "the sign-in is given back",
  );
  const taskId = await ask(ready, 1);
  const task = await until(
    async () => (await agent.task(taskId)).json,
    (t) => t["state"] !== "received" && t["state"] !== "validating",
    "the task",
  );
  expect(task).toMatchObject({ state: "denied", reason: "account_disconnected" });
});
