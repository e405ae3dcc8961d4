import type { JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hoursAhead, orderRequest } from "./support/agent.ts";
import { inStore, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

const DAY_MS = 24 * 60 * 60_000;

async function pending(change: JsonObject = {}): Promise<{ readonly taskId: string; readonly view: JsonObject }> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return { taskId, view: await ready.person.approvalFor(taskId) };
}

async function bought(change: JsonObject = {}): Promise<string> {
  const { taskId, view } = await pending(change);
  await ready.person.decide(view, "approved");
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  return taskId;
}

describe("APR-1 an earlier equal order is mentioned", () => {
  it("with its state, time and amount, by an equal wish or by the same item", async () => {
    const first = await bought();
    const again = await pending();
    expect(again.view["earlier"]).toMatchObject([
      { task_id: first, state: "succeeded", amount: { total_minor: 4990, currency: "EUR" } },
    ]);
    await ready.person.decide(again.view, "denied");
    const otherLimit = await pending({ parameters: { max_total_minor: 5999 }, expires_at: hoursAhead(3) });
    expect(otherLimit.view["earlier"]).toMatchObject([{ task_id: first }]);
    const decided = await ready.person.decide(otherLimit.view, "denied");
    expect(decided.json["earlier"], "what is settled needs no warning").toBeUndefined();
  });

  it("not one of more than thirty days ago", async () => {
    const first = await bought();
    await inStore(ready.world.gateway, (db) =>
      db
        .updateTable("task")
        .set({ updated_at: Date.now() - 30 * DAY_MS - 1 })
        .where("task_id", "=", first)
        .execute(),
    );
    expect((await pending()).view["earlier"]).toBeUndefined();
  });

  it("not one that was refused, or is of another item", async () => {
    const refused = await pending();
    await ready.person.decide(refused.view, "denied");
    expect((await pending()).view["earlier"]).toBeUndefined();
    const other = await readyWorld();
    await ready.world.close();
    ready = other;
    await bought({ parameters: { item_ref: "WB-750-SAGE" } });
    expect((await pending()).view["earlier"]).toBeUndefined();
  });

  it("one whose outcome is unknown is mentioned as such", async () => {
    const { control } = ready.world.shop;
    control.commitThenDrop({ times: 1 });
    control.readBack("down");
    const { taskId, view } = await pending();
    await ready.person.decide(view, "approved");
    await ready.agent.reaches(taskId, "outcome_unknown");
    control.readBack("up");
    const other = await pending({ parameters: { max_total_minor: 5999 }, expires_at: hoursAhead(3) });
    expect(other.view["earlier"]).toMatchObject([{ task_id: taskId }]);
  });
});

describe("APR-6 the clock of a countdown is the gateway's", () => {
  it("each answer of the trusted interface carries the time that deadlines are judged by", async () => {
    ready.world.advance(3 * DAY_MS);
    const reply = await ready.person.get("/session");
    const told = Date.parse(String(reply.headers["date"]));
    expect(Math.abs(told - (Date.now() + 3 * DAY_MS))).toBeLessThan(5_000);
  });
});
