import type { Route } from "@countersign/plugin";
import { createHttpRoute } from "@countersign/route-http";
import { assert } from "@countersign/wire";
import { afterEach, expect, it, vi } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

// The same gateway with shorter limits for one step: nothing else of it is changed.
vi.mock("../packages/gateway/src/limits.ts", async (original) => ({
  ...(await original<typeof import("../packages/gateway/src/limits.ts")>()),
  ADAPTER_STEP_MS: 400,
  STEP_END_MS: 400,
}));

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready | undefined;
let letGo: () => void = () => {};
afterEach(async () => {
  letGo();
  await ready?.world.close();
  ready = undefined;
});

/** A site whose first opening, or whose first session, stands still until it is let go; what the gateway does is kept. */
async function stuckIn(where: "opening" | "session") {
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const seen = { opened: 0, closed: 0, signal: undefined as AbortSignal | undefined };
  const http = createHttpRoute();
  const route: Route = {
    ...http,
    async open(ctx, ...rest) {
      seen.opened += 1;
      const first = seen.opened === 1;
      if (first) seen.signal = ctx.signal;
      if (first && where === "opening") await gone;
      const open = await http.open(ctx, ...rest);
      if (!open.ok || !first) return open;
      const { value } = open;
      const session =
        where === "opening"
          ? value.session
          : new Proxy(value.session, {
              // The session answers nothing before it is closed.
              get: () => () => gone.then(() => Promise.reject(new Error("the session is closed"))),
            });
      const close = async () => {
        seen.closed += 1;
        if (where === "session") letGo();
        await value.close();
      };
      return { ...open, value: { ...value, session, close } };
    },
  };
  ready = await readyWorld({ routes: () => [route] });
  return { ...ready, seen };
}

const list = (ready: Ready) =>
  orderRequest(
    { accountRef: ready.accountRef, consentRef: ready.consentRef, fulfillmentRef: "" },
    { operation: "retail.orders.list", parameters: {} },
  );
async function submit(of: Ready): Promise<string> {
  const submitted = await of.agent.post("/v1/tasks", { ...list(of), parameters: {} });
  assert(submitted.status === 201, `the task is taken: ${submitted.text}`);
  return String(submitted.json["task_id"]);
}
const row = (of: Ready, taskId: string) =>
  inStore(of.world.gateway, (db) =>
    db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow(),
  );

it("STA-2 a step that is given up and does not end keeps the account until it does", async () => {
  const stuck = await stuckIn("opening");
  const taskId = await submit(stuck);
  await until(
    async () => stuck.world.logLines.join("\n"),
    (text) => text.includes("worker.step_outlasts") && text.includes("task.step_failed"),
    "the step to be given up",
  );
  expect(stuck.seen.signal?.aborted).toBe(true);
  // The site is free for everybody else now, and yet nothing of this account begins.
  const next = await submit(stuck);
  stuck.world.gateway.core.poke();
  const held = await until(
    () => row(stuck, taskId),
    (t) => t.tries === 1,
    "the trouble to be noted",
  );
  expect(held.lease_owner).not.toBeNull();
  expect(held.lease_until).toBeGreaterThan(Date.now());
  expect(await row(stuck, next)).toMatchObject({ fence: 0, state: "received" });
  expect(stuck.seen.opened).toBe(1);
  letGo();
  await stuck.agent.reaches(next, "succeeded");
  // What was opened too late was closed, and not used.
  expect(stuck.seen.closed).toBeGreaterThanOrEqual(1);
});

it("a step that is given up loses its session, ends by that, and is tried again", async () => {
  const stuck = await stuckIn("session");
  const taskId = await submit(stuck);
  expect(await stuck.agent.reaches(taskId, "succeeded")).toMatchObject({ state: "succeeded" });
  expect(stuck.seen.signal?.aborted).toBe(true);
  expect(stuck.seen.closed).toBe(1);
  expect(stuck.world.logLines.join("\n")).not.toContain("worker.step_outlasts");
});
