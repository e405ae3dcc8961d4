import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Point } from "../packages/gateway/src/points.ts";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let atPoint: (point: Point) => Promise<void> | void;
beforeEach(async () => {
  atPoint = () => {};
  ready = await readyWorld({ reach: (point) => atPoint(point) });
});
afterEach(() => ready.world.close());

/** The grant stood when the worker judged it; the terms are read, and now it goes. */
async function revokedWhileFreezing(revoke: () => Promise<unknown>): Promise<string> {
  let revoked = false;
  atPoint = async (point) => {
    if (point !== "prepare.frozen" || revoked) return;
    revoked = true;
    await revoke();
  };
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  return String(submitted.json["task_id"]);
}

const eventsOf = (taskId: string) =>
  inStore(ready.world.gateway, (db) =>
    db.selectFrom("task_event").select(["state", "reason"]).where("task_id", "=", taskId).orderBy("seq").execute(),
  );

describe("CON-1 a grant that goes while a worker is at the site", () => {
  it.each([
    ["the grant is revoked", () => ready.person.post(`/consents/${ready.consentRef}/revoke`)],
    ["the agent is revoked", () => ready.person.post(`/agents/${ready.agent.clientId}/revoke`)],
  ] as const)("%s: denied, and the person is never asked", async (_what, revoke) => {
    const taskId = await revokedWhileFreezing(revoke);
    const events = await until(
      () => eventsOf(taskId),
      (all) => all.at(-1)?.state === "denied",
      "the denial",
    );
    expect(events.at(-1)).toMatchObject({ reason: "grant_revoked" });
    expect(events.map((event) => event.state)).not.toContain("approval_required");
    expect(ready.world.shop.control.counters()).toMatchObject({ submits: 0 });
  });
});
