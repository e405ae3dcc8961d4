import { afterEach, beforeEach, expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

it("APR-1 an order is placed once, after the person has approved the exact terms", async () => {
  const { world, person, agent } = ready;
  const submitted = await agent.post("/v1/tasks", orderRequest(ready));
  expect(submitted.status).toBe(201);
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required");
  expect(world.shop.control.counters().submits).toBe(0);
  const view = await person.approvalFor(taskId);
  expect(view["action"]).toMatchObject({
    terms: { total_minor: 4990, currency: "EUR", lines: [{ ref: "TL-200" }, { ref: "standard" }] },
  });
  expect((await person.decide(view, "approved")).status).toBe(200);
  const done = await agent.reaches(taskId, "succeeded");
  expect(done).toMatchObject({ state: "succeeded" });
  expect(world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1, foreignTokens: 0 });
  const result = await agent.get(`/v1/tasks/${taskId}/result`);
  expect(result.json["result"]).toMatchObject({
    order_number: world.shop.control.orders()[0]?.number,
    total_minor: 4990,
  });
});
