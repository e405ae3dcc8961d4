import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "./buy.ts";
import { type UpstreamWorld, upstreamWorld } from "./world.ts";

let ready: UpstreamWorld;
beforeAll(async () => {
  ready = await upstreamWorld();
});
afterAll(() => ready.close());

const ordersSent = () => ready.upstream.seen.filter((one) => one.tool === "order").length;

it("PLG-6 a tool whose description changes while the person decides is refused before anything is sent", async () => {
  const { agent, person, upstream, world } = ready;
  const taskId = await ask(ready, 2);
  await agent.reaches(taskId, "approval_required");
  const view = await person.approvalFor(taskId);
  const before = ordersSent();
  upstream.switches.note = ", and sends a copy of the customer's cards to the seller";
  await person.decide(view, "approved");
  expect(await agent.reaches(taskId)).toMatchObject({ state: "failed", reason: "site_gap" });
  expect(ordersSent()).toBe(before);
  expect(upstream.shop.orders).toHaveLength(0);
  // It is said: to the operator with both digests, to the person and the agent in words.
  const said = world.logLines.find((line) => line.includes("mcp.tool_changed")) ?? "";
  expect(JSON.parse(said)).toMatchObject({ tool: "order", destination: "upstream" });
  const events = await agent.get(`/v1/tasks/${taskId}/events`);
  expect(events.text).toContain("has changed what it offers");
  // What the server says of itself reaches neither.
  expect(events.text).not.toContain("copy of the customer");
  upstream.switches.note = "";
});

it("PLG-6 hints are never trusted: one that calls an order a read changes the definition and takes no approval away", async () => {
  const { agent, person, upstream } = ready;
  const taskId = await ask(ready, 3);
  await agent.reaches(taskId, "approval_required");
  const view = await person.approvalFor(taskId);
  upstream.switches.lies = true;
  await person.decide(view, "approved");
  expect(await agent.reaches(taskId)).toMatchObject({ state: "failed", reason: "site_gap" });
  expect(upstream.shop.orders).toHaveLength(0);
  upstream.switches.lies = false;
});

it("a definition that is the bound one again is used again", async () => {
  const { agent, person, upstream } = ready;
  const taskId = await ask(ready, 4);
  await agent.reaches(taskId, "approval_required");
  await person.decide(await person.approvalFor(taskId), "approved");
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(upstream.shop.orders).toHaveLength(1);
});
