import { OPERATIONS } from "@countersign/profile";
import { afterEach, beforeEach, expect, it } from "vitest";
import { effectOf } from "../packages/gateway/src/tasks/tasks.ts";
import { wakeAfterSignIn } from "../packages/gateway/src/tasks/wake.ts";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

// A build in which an operation, or the parameters it once took, are no longer known.

const HOURS = 3_600_000;
let ready: Awaited<ReturnType<typeof readyWorld>>;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

const row = (taskId: string) =>
  inStore(ready.world.gateway, (db) =>
    db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow(),
  );
const set = (taskId: string, values: Readonly<Record<string, string | number | null>>) =>
  inStore(ready.world.gateway, (db) => db.updateTable("task").set(values).where("task_id", "=", taskId).execute());

async function pending(): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}
async function due(taskId: string, values: Readonly<Record<string, string | number | null>>): Promise<void> {
  await set(taskId, { due_at: 1, ...values });
  ready.world.gateway.core.poke();
}
const GONE = { operation: "retail.order.forgotten" };

it.each([
  ["operation", GONE],
  ["parameters", { request: JSON.stringify({ parameters: { item_ref: 7 } }) }],
])("a waiting task whose %s this build does not know fails, with its receipt", async (_what, change) => {
  const taskId = await pending();
  await due(taskId, change);
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "failed", reason: "site_gap" });
  const receipt = await until(
    () => ready.agent.get(`/v1/tasks/${taskId}/receipt`),
    (r) => r.status === 200,
    "the receipt",
  );
  expect(receipt.status).toBe(200);
});

it("one that has only just been received fails too, and one whose time is over has expired", async () => {
  const received = await pending();
  await due(received, { ...GONE, state: "received", action_id: null, approval_ref: null });
  expect(await ready.agent.reaches(received)).toMatchObject({ state: "failed", reason: "site_gap" });
  const late = await pending();
  await due(late, { ...GONE, request_expires_at: Date.now() - HOURS });
  expect(await ready.agent.reaches(late)).toMatchObject({ state: "expired", reason: "request_expired" });
});

it("STA-3 one that may have happened is looked at again, further and further apart, and put to the person once", async () => {
  const taskId = await pending();
  await due(taskId, { ...GONE, suspect: 1, tries: 7 });
  const looked = await until(
    () => row(taskId),
    (t) => t.tries === 8,
    "another look",
  );
  expect(looked).toMatchObject({ state: "approval_required", suspect: 1 });
  expect(looked.review_at).not.toBeNull();
  expect(looked.due_at).toBeGreaterThan(Date.now() + 60_000);
  await due(taskId, { suspect: 0, submitted: 1, state: "outcome_unknown", tries: 0 });
  const unknown = await until(
    () => row(taskId),
    (t) => t.tries === 1,
    "another reading",
  );
  expect(unknown).toMatchObject({ state: "outcome_unknown", review_at: looked.review_at });
});

it("a withdrawal and a sign-in go on whatever operations a build knows", async () => {
  const taskId = await pending();
  await set(taskId, { ...GONE, state: "authentication_required", due_at: null });
  const { core } = ready.world.gateway;
  await core.store.as("system", () => core.store.transaction((tx) => wakeAfterSignIn(core, tx, ready.accountRef)));
  await ready.agent.reaches(taskId, "failed");
  const other = await pending();
  await set(other, { ...GONE, due_at: null });
  const withdrawn = await ready.agent.post(`/v1/tasks/${other}/cancel`, {});
  expect([200, "cancelled"]).toEqual([withdrawn.status, withdrawn.json["state"]]);
});

it("the effect of an operation that is not known is what the task's row says", () => {
  const row = { operation: "no.such", wish_digest: null, action_id: null, submitted: 0 as const };
  const known = new Map(OPERATIONS.map((operation) => [operation.id, operation]));
  expect(effectOf(known, row)).toBe("read");
  expect(effectOf(known, { ...row, wish_digest: "x" })).toBe("commit");
  expect(effectOf(known, { ...row, submitted: 1 as const })).toBe("commit");
});
