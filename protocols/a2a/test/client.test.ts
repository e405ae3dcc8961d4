import { afterEach, describe, expect, it } from "vitest";
import { orderRequest } from "../../../test/support/agent.ts";

import { type AgentWorld, type AgentWorldOptions, connected, openAgentWorld } from "./client-world.ts";

const open: AgentWorld[] = [];
async function ready(options: AgentWorldOptions = {}) {
  const opened = await openAgentWorld(options);
  open.push(opened);
  return { ...opened, refs: await connected(opened) };
}
afterEach(async () => {
  for (const { world, remote } of open.splice(0)) {
    await world.close();
    await remote.close();
  }
});

type Ready = Awaited<ReturnType<typeof ready>>;

async function ordered({ agent, refs }: Ready): Promise<string> {
  const submitted = await agent.post("/v1/tasks", orderRequest(refs));
  expect(submitted.status, submitted.text).toBe(201);
  return String(submitted.json["task_id"]);
}

async function approved(world: Ready): Promise<string> {
  const taskId = await ordered(world);
  await world.agent.reaches(taskId, "approval_required");
  const view = await world.person.approvalFor(taskId);
  expect(world.remote.orders).toHaveLength(0);
  expect((await world.person.decide(view, "approved")).status).toBe(200);
  return taskId;
}

describe.each(["JSONRPC", "HTTP+JSON"] as const)("over %s", (binding) => {
  it.each(["quote", "task"] as const)(
    "MAP-5 PLG-6 a purchase by a remote agent's skills completes (%s)",
    async (by) => {
      const world = await ready({ binding, by });
      const taskId = await approved(world);
      expect(await world.agent.reaches(taskId, "succeeded")).toMatchObject({ state: "succeeded" });
      expect(world.remote.orders).toHaveLength(1);
      const result = await world.agent.get(`/v1/tasks/${taskId}/result`);
      expect(result.json["result"]).toMatchObject({ order_number: "AO-1", total_minor: 4990 });
      const orders = world.remote.seen.filter(({ body }) => body.includes('"skill":"order"'));
      expect(orders).toHaveLength(1);
    },
  );

  it.each(["quote", "task"] as const)("STA-3 U04 a commit with a lost answer ends with one effect (%s)", async (by) => {
    const world = await ready({ binding, by });
    world.remote.faults.cutAfterOrder = true;
    const taskId = await approved(world);
    await world.agent.reaches(taskId, "outcome_unknown");
    world.remote.faults.cutAfterOrder = false;
    expect(await world.agent.reaches(taskId, "succeeded")).toMatchObject({ state: "succeeded" });
    expect(world.remote.orders).toHaveLength(1);
    expect(world.remote.seen.filter(({ body }) => body.includes('"skill":"order"'))).toHaveLength(1);
  });
});
