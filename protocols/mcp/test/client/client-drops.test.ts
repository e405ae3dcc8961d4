import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/http.ts";
import { approve, ask, buy } from "./buy.ts";
import type { Fault } from "./upstream/server.ts";
import { type UpstreamWorld, upstreamWorld } from "./world.ts";

let ready: UpstreamWorld;
let quantity = 10;
beforeAll(async () => {
  ready = await upstreamWorld();
});
afterAll(() => ready.close());

/** Waits until the task has settled; `stepMs`: how much faster the gateway's clock runs. */
async function settled(taskId: string, stepMs = 1_000) {
  return until(
    async () => {
      ready.world.advance(stepMs);
      // As the person sees it: the agent's token does not live that long.
      return (await ready.person.get(`/tasks/${taskId}`)).json;
    },
    (task) => ["succeeded", "failed", "denied", "expired", "cancelled"].includes(String(task["state"])),
    `${taskId} settled`,
  );
}

describe("STA-3 a connection that ends, wherever it ends, leaves one order", () => {
  const before: readonly (readonly [string, Fault])[] = [
    ["server/discover", "before"],
    ["tools/list", "middle"],
    ["tools/call:quote", "before"],
    ["tools/call:quote", "after"],
    ["tools/call:quote_get", "middle"],
    ["tools/call:orders", "before"],
  ];
  it.each(before)("before the boundary: %s, %s", async (method, fault) => {
    const { upstream } = ready;
    const count = upstream.shop.orders.length;
    upstream.fault(method, fault);
    const task = await buy(ready, quantity++);
    expect(await settled(task.task_id)).toMatchObject({ state: "succeeded" });
    expect(upstream.shop.orders).toHaveLength(count + 1);
  });

  const after: readonly Fault[] = [
    "after",
    "middle",
    "garbage",
    "status_500",
    "input_required",
    "odd_error",
    "status_401",
  ];
  it.each(after)("after it: the order, %s", async (fault) => {
    const { upstream } = ready;
    const count = upstream.shop.orders.length;
    const calls = upstream.seen.filter((one) => one.tool === "order").length;
    upstream.fault("tools/call:order", fault);
    upstream.fault("tools/call:orders", "stream");
    const task = await buy(ready, quantity++);
    expect(await settled(task.task_id)).toMatchObject({ state: "succeeded" });
    expect(upstream.shop.orders).toHaveLength(count + 1);
    expect(upstream.seen.filter((one) => one.tool === "order")).toHaveLength(calls + 1);
  });

  it("while it is read back: the reading is made again, the order is not", async () => {
    const { upstream } = ready;
    const count = upstream.shop.orders.length;
    const taskId = await ask(ready, quantity++);
    upstream.fault("tools/call:order", "after");
    await approve(ready, taskId);
    await ready.agent.reaches(taskId, "outcome_unknown");
    for (const fault of ["before", "middle", "before"] as const) upstream.fault("tools/call:orders", fault);
    expect(await settled(taskId)).toMatchObject({ state: "succeeded" });
    expect(upstream.shop.orders).toHaveLength(count + 1);
  });

  it("STA-4 an order that never arrived is failed once its absence counts, and not before", async () => {
    const { upstream } = ready;
    const count = upstream.shop.orders.length;
    upstream.fault("tools/call:order", "before");
    const task = await buy(ready, quantity++);
    expect(task).toMatchObject({ state: "outcome_unknown" });
    expect(await settled(task.task_id, 30_000)).toMatchObject({ state: "failed", reason: "not_done" });
    expect(upstream.shop.orders).toHaveLength(count);
  });
});
