import { afterEach, beforeEach, expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { inStore, readyWorld } from "./support/world.ts";

const MINUTE = 60_000;
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

async function pending(): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}

function taskRow(taskId: string) {
  return inStore(ready.world.gateway, (db) =>
    db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow(),
  );
}

/** The agent's token has a life of its own; the task's row says what became of it. */
async function state(taskId: string, wanted: string): Promise<object> {
  for (let i = 0; i < 200; i++) {
    const row = await taskRow(taskId);
    if (row.state === wanted) return row;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the task did not become ${wanted}`);
}

it("REQ-5 APR-6 nobody decides in time: expired, and a late decision does nothing", async () => {
  const taskId = await pending();
  const view = await ready.person.approvalFor(taskId);
  ready.world.advance(16 * MINUTE);
  expect(await state(taskId, "expired")).toMatchObject({ reason: "approval_expired" });
  expect((await ready.person.decide(view, "approved")).status).toBeGreaterThanOrEqual(400);
  expect(ready.world.shop.control.counters().submits).toBe(0);
});

it("STA-4 an unknown outcome stays unknown however long it takes, is escalated once, and never submitted again", async () => {
  const taskId = await pending();
  const view = await ready.person.approvalFor(taskId);
  ready.world.shop.control.commitThenDrop({ times: 1 });
  await ready.person.decide(view, "approved");
  await state(taskId, "outcome_unknown");
  ready.world.shop.control.readBack("down");
  for (let i = 0; i < 9; i++) {
    ready.world.advance(5 * MINUTE);
    const tries = async () => (await taskRow(taskId)).tries;
    const before = await tries();
    for (let j = 0; j < 200 && (await tries()) === before; j++) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const row = await taskRow(taskId);
  expect(row).toMatchObject({ state: "outcome_unknown" });
  expect(row.review_at).not.toBeNull();
  expect((await ready.person.get("/inbox")).text).toContain('"review"');
  expect(ready.world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  ready.world.shop.control.readBack("up");
  ready.world.advance(6 * MINUTE);
  await state(taskId, "succeeded");
  expect(ready.world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
});

it("STA-3 absence counts only once the submission has had time to land", async () => {
  const taskId = await pending();
  const view = await ready.person.approvalFor(taskId);
  ready.world.shop.control.dropBeforeCommit({ times: 1 });
  await ready.person.decide(view, "approved");
  await state(taskId, "outcome_unknown");
  ready.world.advance(3 * MINUTE);
  expect(await state(taskId, "failed")).toMatchObject({ reason: "not_done" });
  expect(ready.world.shop.control.counters()).toMatchObject({ submits: 1, orders: 0 });
});
