import { createEgress, type Egress, type Guard } from "@countersign/gateway";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Agent, orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { readyWorld } from "./support/world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
/** From the next submission on the shop's history is down. */
let blackout = false;
beforeEach(async () => {
  blackout = false;
  const egress = (guard: Guard): Egress => {
    const real = createEgress(guard);
    return {
      ...real,
      async sendOnce(request, mayLeave) {
        const answer = await real.sendOnce(request, mayLeave);
        if (blackout) ready.world.shop.control.readBack("down");
        return answer;
      },
    };
  };
  ready = await readyWorld({ egress });
});
afterEach(() => ready.world.close());

const counters = () => ready.world.shop.control.counters();

async function submit(change = {}): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  expect(submitted.status, ready.world.logLines.slice(-3).join(" ")).toBe(201);
  return String(submitted.json["task_id"]);
}

async function pending(): Promise<string> {
  const taskId = await submit();
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}

async function row(taskId: string) {
  return ready.world.gateway.core.store.db
    .selectFrom("task")
    .selectAll()
    .where("task_id", "=", taskId)
    .executeTakeFirstOrThrow();
}

/** An approved order whose answer is lost while the shop's history is down. */
async function unknown(): Promise<string> {
  const taskId = await pending();
  const view = await ready.person.approvalFor(taskId);
  ready.world.shop.control.commitThenDrop({ times: 1 });
  blackout = true;
  await ready.person.decide(view, "approved");
  expect(await ready.agent.reaches(taskId, "outcome_unknown")).toMatchObject({ state: "outcome_unknown" });
  return taskId;
}

describe("STA-7 an equal wish under a fresh key", () => {
  it("STA-7 (U02) is held while the first is unknown, naming it; once it is found the second goes on", async () => {
    const first = await unknown();
    const second = await submit();
    const held = (await ready.agent.task(second)).json;
    expect(held).toMatchObject({ state: "received", reason: "twin_unresolved", held_by: first });
    expect(counters()).toMatchObject({ submits: 1 });
    ready.world.shop.control.readBack("up");
    ready.world.advance(10 * MINUTE);
    await until(
      () => row(first),
      (t) => t.state === "succeeded",
      "the first to be found",
    );
    await until(
      () => row(second),
      (t) => t.state === "approval_required",
      "the second to ask",
    );
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("of several held one goes on at a time, and a withdrawn leader frees the next", async () => {
    const first = await pending();
    const second = await submit();
    const third = await submit();
    expect((await row(second)).held_by).toBe(first);
    expect((await row(third)).held_by).toBe(first);
    await ready.agent.post(`/v1/tasks/${first}/cancel`, {});
    await until(
      () => row(second),
      (t) => t.state === "approval_required",
      "the second to ask",
    );
    const now = await until(
      () => row(third),
      (t) => t.held_by === second,
      "the third to wait for the second",
    );
    expect(now.state).toBe("received");
  });

  it("another item, another quantity or a read is not held; a held wish still expires and can be withdrawn", async () => {
    const first = await pending();
    const other = await submit({ parameters: { quantity: 2, max_total_minor: 20_000 } });
    expect((await row(other)).held_by).toBeNull();
    const held = await submit();
    expect((await row(held)).held_by).toBe(first);
    const withdrawn = await ready.agent.post(`/v1/tasks/${held}/cancel`, {});
    expect(withdrawn.json).toMatchObject({ state: "cancelled", withdrawal: "withdrawn" });
    const late = await submit();
    ready.world.advance(3 * 60 * MINUTE);
    expect(
      await until(
        () => row(late),
        (t) => t.state === "expired",
        "the held wish to expire",
      ),
    ).toMatchObject({ reason: "request_expired" });
  });

  it("REQ-2 another agent of the same person is held too, and learns no stranger's task", async () => {
    await pending();
    const other = await Agent.join(ready.world, ready.person, "Another agent");
    const consentRef = await other.askGrant({ destination: "practice-shop", operations: ["retail.order.submit"] });
    await ready.person.grant(consentRef, ready.accountRef);
    const held = await other.post("/v1/tasks", orderRequest({ ...ready, consentRef }));
    expect(held.json).toMatchObject({ state: "received", reason: "twin_unresolved" });
    expect(held.json).not.toHaveProperty("held_by");
  });

  it("CON-1 a held wish under a revoked grant is denied when it would go on", async () => {
    await pending();
    const held = await submit();
    await ready.person.post(`/consents/${ready.consentRef}/revoke`);
    expect(await ready.agent.reaches(held)).toMatchObject({ state: "denied", reason: "grant_revoked" });
  });
});

describe("STA-3 an outcome that cannot be established", () => {
  it("STA-4 (U06) stays unknown for thirty days, with one escalation and one receipt", async () => {
    const taskId = await unknown();
    for (let i = 0; i < 12; i++) {
      const { tries } = await row(taskId);
      ready.world.advance(6 * MINUTE);
      await until(
        () => row(taskId),
        (t) => t.tries > tries,
        "the next reading",
      );
    }
    const escalated = (await row(taskId)).review_at;
    expect(escalated).not.toBeNull();
    ready.world.advance(30 * DAY);
    const { tries } = await row(taskId);
    await until(
      () => row(taskId),
      (t) => t.tries > tries,
      "a reading after thirty days",
    );
    expect(await row(taskId)).toMatchObject({ state: "outcome_unknown", review_at: escalated });
    const inbox = await ready.world.gateway.core.store.db
      .selectFrom("leaf")
      .select("payload")
      .where("task_id", "=", taskId)
      .where("kind", "=", "receipt")
      .execute();
    expect(inbox).toHaveLength(1);
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("STA-3 readings come at growing intervals up to a cap", async () => {
    const taskId = await unknown();
    const gaps: number[] = [];
    for (let i = 0; i < 10; i++) {
      const before = await row(taskId);
      ready.world.advance(6 * MINUTE);
      const after = await until(
        () => row(taskId),
        (t) => t.tries > before.tries && t.lease_owner === null,
        "the next reading",
      );
      gaps.push((after.due_at ?? 0) - (Date.now() + ready.world.offset()));
    }
    const rounded = gaps.map((gap) => Math.round(gap / 1_000));
    expect(rounded).toEqual([...rounded].sort((a, b) => a - b));
    expect(Math.max(...rounded)).toBeLessThanOrEqual(300);
    expect(rounded.at(-1)).toBeGreaterThan(290);
  });
});

describe("STA-5 a withdrawal says what it did", () => {
  it("before the boundary, after it, and after the end", async () => {
    const early = await pending();
    expect((await ready.agent.post(`/v1/tasks/${early}/cancel`, {})).json).toMatchObject({
      state: "cancelled",
      reason: "withdrawn_by_agent",
      withdrawal: "withdrawn",
    });
    expect((await ready.agent.post(`/v1/tasks/${early}/cancel`, {})).json).toMatchObject({
      state: "cancelled",
      withdrawal: "already_settled",
    });
    const submitted = await unknown();
    expect((await ready.agent.post(`/v1/tasks/${submitted}/cancel`, {})).json).toMatchObject({
      state: "outcome_unknown",
      withdrawal: "already_submitted",
    });
  });
});
