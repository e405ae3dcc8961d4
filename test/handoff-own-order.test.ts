import { afterEach, beforeEach, expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let before: number;

beforeEach(async () => {
  ready = await readyWorld();
  before = ready.world.shop.control.orders().length;
});
afterEach(() => ready.world.close());

async function ask(): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  expect(submitted.status, submitted.text).toBe(201);
  return String(submitted.json["task_id"]);
}

/** Approved, and then the site wants a sign-in before the gateway gets to send it. */
async function handedOver() {
  const { agent, person, world } = ready;
  const taskId = await ask();
  const view = await person.approvalFor(taskId);
  world.shop.control.endSession();
  await person.decide(view, "approved");
  const task = await agent.reaches(taskId, "authentication_required");
  return { taskId, view, ref: String(task["continuation_ref"]) };
}

it("APR-5 what the person orders by their own hand during a hand-off is noticed before the gateway's own submission", async () => {
  const { agent, person, world } = ready;
  const { taskId, view, ref } = await handedOver();
  world.shop.control.placeOrderElsewhere({ sku: "TL-200", quantity: 1, delivery: "standard" });
  await person.signInAtShop(ref);
  await agent.reaches(taskId, "approval_required");
  expect(world.shop.control.counters().submits, "nothing was sent").toBe(0);
  const again = await person.approvalFor(taskId);
  expect(again["action_id"]).not.toBe(view["action_id"]);
  expect(again).toMatchObject({ may_be_done: true, status: "pending" });
  expect((await person.get(`/approvals/${String(view["action_id"])}`)).json["status"]).toBe("superseded");

  // Wanted all the same: asked once, not for ever.
  expect((await person.decide(again, "approved")).status).toBe(200);
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  expect(world.shop.control.orders()).toHaveLength(before + 2);
});

it("APR-5 or is refused the second time, and nothing is bought twice", async () => {
  const { agent, person, world } = ready;
  const { taskId, ref } = await handedOver();
  world.shop.control.placeOrderElsewhere({ sku: "TL-200", quantity: 1, delivery: "standard" });
  await person.signInAtShop(ref);
  await agent.reaches(taskId, "approval_required");
  expect((await person.decide(await person.approvalFor(taskId), "denied")).status).toBe(200);
  expect(await agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "refused_by_holder" });
  expect(world.shop.control.orders()).toHaveLength(before + 1);
  const told = (await agent.get(`/v1/tasks/${taskId}/events`)).text + (await agent.get(`/v1/tasks/${taskId}`)).text;
  expect(told, "the person's own order is not the agent's business").not.toContain(
    world.shop.control.orders()[0]?.number,
  );
});

it("APR-5 an order of the same item otherwise cannot be told apart, and is put to the person too", async () => {
  const { agent, person, world } = ready;
  const { taskId, ref } = await handedOver();
  world.shop.control.placeOrderElsewhere({ sku: "TL-200", quantity: 3, delivery: "standard" });
  await person.signInAtShop(ref);
  expect(await agent.reaches(taskId, "approval_required")).toMatchObject({ state: "approval_required" });
  expect(world.shop.control.counters().submits).toBe(0);
});
