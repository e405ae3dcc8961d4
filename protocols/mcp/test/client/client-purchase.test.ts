import { afterAll, beforeAll, expect, it } from "vitest";
import { signedParts } from "../../../../test/support/leaks.ts";
import { approve, ask, buy } from "./buy.ts";
import { type UpstreamWorld, upstreamWorld } from "./world.ts";

let ready: UpstreamWorld;
beforeAll(async () => {
  ready = await upstreamWorld();
});
afterAll(() => ready.close());

it.each([
  ["2026-07-28", 1],
  ["2025-11-25", 2],
])("PLG-6 a purchase completes at an upstream server that speaks %s", async (revision, quantity) => {
  const { agent, person, upstream } = ready;
  upstream.legacy = revision === "2025-11-25";
  const before = upstream.shop.orders.length;
  const taskId = await ask(ready, quantity);
  await agent.reaches(taskId, "approval_required");
  const view = await person.approvalFor(taskId);
  expect(JSON.stringify(view["action"])).not.toContain("Brook Lane");
  const told = (view["disclosures"] as string[]).map((one) => Buffer.from(one, "base64url").toString("utf8"));
  expect(told.join()).toContain("1 Brook Lane, Leeds");
  await person.decide(view, "approved");
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(upstream.shop.orders).toHaveLength(before + 1);
  const result = await agent.get(`/v1/tasks/${taskId}/result`);
  expect(result.text).toContain(upstream.shop.orders.at(-1)?.number);
  const methods = new Set(upstream.seen.map((one) => one.method));
  expect(methods.has("initialize")).toBe(upstream.legacy);
  upstream.legacy = false;
});

it("PLG-6 a read is answered from the tool that was bound", async () => {
  const { agent, accountRef, consentRef } = ready;
  const asked = await agent.post("/v1/tasks", {
    profile: "sophtron.agentic-web-execution/0.1",
    request_id: `req_${crypto.randomUUID()}`,
    idempotency_key: `key_${crypto.randomUUID()}`,
    account_ref: accountRef,
    consent_ref: consentRef,
    operation: "retail.orders.list",
    parameters: { limit: 5 },
    expires_at: new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, "Z"),
  });
  const taskId = String(asked.json["task_id"]);
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect((await agent.get(`/v1/tasks/${taskId}/result`)).text).toContain("UP-1000");
});

it("U50 AUT-3 nothing that the agent brought reaches the upstream, and nothing of the upstream's reaches the agent", async () => {
  const { agent, person, upstream, world } = ready;
  const inbound = [agent.token, person.cookie.split("=")[1] ?? "", person.pageToken, agent.clientId, world.issuer];
  const sent = upstream.seen.map((one) => one.raw).join("\n");
  for (const canary of inbound.slice(0, 4)) expect(sent).not.toContain(canary);
  // Not even the parts of the agent's token that anybody can read.
  for (const part of signedParts(agent.token)) expect(sent).not.toContain(part);
  const tokens = upstream.oauth.tokens();
  expect(tokens.length).toBeGreaterThan(0);
  expect(tokens.every((token) => token.startsWith("up_"))).toBe(true);
  const tasks = await agent.get("/v1/tasks");
  for (const token of tokens) {
    expect(tasks.text).not.toContain(token);
    expect(world.logLines.join("\n")).not.toContain(token);
  }
});

it("U23 STA-4 a result as text alone is read the same way, and a stream of events too", async () => {
  const { upstream } = ready;
  upstream.switches.textOnly = true;
  upstream.fault("tools/call:order", "stream");
  const before = upstream.shop.orders.length;
  expect(await buy(ready, 3)).toMatchObject({ state: "succeeded" });
  expect(upstream.shop.orders).toHaveLength(before + 1);
  upstream.switches.textOnly = false;
});

it("STA-4 only a refusal that was described is a failure", async () => {
  const { upstream, agent } = ready;
  const before = upstream.shop.orders.length;
  const refused = await ask(ready, 4);
  await agent.reaches(refused, "approval_required");
  const view = await ready.person.approvalFor(refused);
  upstream.fault("tools/call:order", "sold_out");
  await ready.person.decide(view, "approved");
  expect(await agent.reaches(refused)).toMatchObject({ state: "failed", reason: "site_refused" });
  expect(upstream.shop.orders).toHaveLength(before);
  // An error in words that nobody described: the order is there all the same, and is found.
  upstream.fault("tools/call:order", "odd_error");
  const odd = await ask(ready, 5);
  await approve(ready, odd);
  expect(await agent.reaches(odd)).toMatchObject({ state: "succeeded" });
  expect(upstream.shop.orders).toHaveLength(before + 1);
});

it("U18 a price that rises while the person decides is asked again", async () => {
  const { upstream, agent, person } = ready;
  const taskId = await ask(ready, 6);
  await agent.reaches(taskId, "approval_required");
  const view = await person.approvalFor(taskId);
  upstream.shop.extraCents = 100;
  await person.decide(view, "approved");
  const again = await person.approvalFor(taskId);
  expect(again["action_id"]).not.toBe(view["action_id"]);
  await person.decide(again, "denied");
  expect(await agent.reaches(taskId)).toMatchObject({ state: "denied" });
  upstream.shop.extraCents = 0;
});
