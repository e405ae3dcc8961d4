import type { JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addPerson, newSignInLink } from "../packages/gateway/src/people/people.ts";
import { hoursAhead, orderRequest } from "./support/agent.ts";
import { type Reply, send, until } from "./support/http.ts";
import { Person, pageHeaders } from "./support/person.ts";
import { readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

const counters = () => ready.world.shop.control.counters();
const system = <T>(work: () => Promise<T>): Promise<T> => ready.world.gateway.core.store.as("system", work);

async function pending(change: JsonObject = {}): Promise<{ readonly taskId: string; readonly view: JsonObject }> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return { taskId, view: await ready.person.approvalFor(taskId) };
}

function approvals(taskId: string) {
  const { db } = ready.world.gateway.core.store;
  return system(() => db.selectFrom("approval").selectAll().where("task_id", "=", taskId).execute());
}

async function another(): Promise<Person> {
  const { core, owner } = ready.world.gateway;
  const link = await system(async () => {
    const other = await addPerson(core, core.store.db, { tenantId: owner.tenantId, name: "Another" });
    return newSignInLink(core, other.personId);
  });
  return Person.withLink(ready.world, link.reveal());
}

describe("APR-3 U21 the decision is the account holder's own", () => {
  it("another person of the same tenant is answered as if there were nothing, whatever they post, and it is noted", async () => {
    const { taskId, view } = await pending();
    const stranger = await another();
    const id = String(view["action_id"]);
    const unknown = await stranger.post("/approvals/act_unknown/decision", {});
    const attempts = [
      await stranger.decide(view, "approved"),
      await stranger.decide(view, "denied"),
      await stranger.decide(view, "approved", { approver: "holder" }),
      await stranger.post(`/approvals/${id}/decision`, {}),
    ];
    for (const reply of attempts) expect([reply.status, reply.text]).toEqual([404, unknown.text]);
    const noted = ready.world.logLines.filter((line) => line.includes("approval.not_the_holder"));
    expect(noted).toHaveLength(attempts.length);
    for (const line of noted) expect(line).toContain(id);
    expect(await approvals(taskId)).toEqual([]);
    expect(await ready.agent.task(taskId)).toMatchObject({ json: { state: "approval_required" } });
  });

  it("the holder cannot say who decides either: the session does", async () => {
    const { taskId, view } = await pending();
    const named = await ready.person.decide(view, "approved", { approver: "somebody else" });
    expect(named.json).toMatchObject({ status: 400, problems: [{ pointer: "/approver", rule: "unknown member" }] });
    expect((await ready.person.decide(view, "approved")).json).toMatchObject({ decided_by: "session" });
    const [approval] = await approvals(taskId);
    const { core } = ready.world.gateway;
    const session = await system(() => core.store.db.selectFrom("person_session").selectAll().execute());
    expect(session.map((s) => s.session_hash)).toContain(approval?.session_hash);
  });
});

describe("APR-3 U24 S2 an agent's credential decides nothing, whatever the body", () => {
  it("on every address of the trusted interface that changes something", async () => {
    const { taskId, view } = await pending();
    const action = view["action"] as { private: { display_text: string } };
    const right = {
      decision: "approved",
      action_digest: view["action_digest"],
      surface: { version: "1", display_digest: action.private.display_text },
    };
    const bodies = [
      right,
      { ...right, decision: "denied" },
      {},
      [],
      "approved",
      null,
      { ...right, approver: "holder" },
    ];
    const paths = [
      `/approvals/${String(view["action_id"])}/decision`,
      `/consents/${ready.consentRef}/decision`,
      `/consents/${ready.consentRef}/revoke`,
      `/tasks/${taskId}/withdraw`,
      `/agents/${ready.agent.clientId}/decision`,
      "/authorities/any/enrol",
      "/authorities/any/remove",
    ].map((path) => `/trusted/v1${path}`);
    const credentials = [
      {},
      pageHeaders(ready.world.issuer),
      { ...pageHeaders(ready.world.issuer), cookie: ready.person.cookie },
    ];
    for (const path of paths)
      for (const body of bodies)
        for (const headers of credentials) {
          const reply = await ready.agent.post(path, JSON.stringify(body), headers);
          expect([reply.status, reply.json["reason"]], `${path} ${JSON.stringify(body)}`).toEqual([403, "forbidden"]);
        }
    expect(await approvals(taskId)).toEqual([]);
    expect(await ready.agent.task(taskId)).toMatchObject({ json: { state: "approval_required" } });
    expect(counters().submits).toBe(0);
  });

  it("nor does a token in the cookie's place", async () => {
    const { view } = await pending();
    const reply = await send(
      ready.world.issuer,
      "POST",
      `/trusted/v1/approvals/${String(view["action_id"])}/decision`,
      {
        headers: { ...pageHeaders(ready.world.issuer), cookie: `__Host-countersign=${ready.agent.token}` },
        body: JSON.stringify({ decision: "approved" }),
      },
    );
    expect(reply.status).toBe(401);
  });
});

describe("APR-6 U22 U23 of many decisions one counts", () => {
  const says = (replies: readonly Reply[], status: number) => replies.filter((r) => r.status === status);

  it.each([1, 2, 3])("50 mixed decisions at once: one is recorded, the losers learn which (%i)", async () => {
    const { taskId, view } = await pending();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ready.person.decide(view, i % 2 === 0 ? "approved" : "denied")),
    );
    const recorded = await approvals(taskId);
    expect(recorded).toHaveLength(1);
    const won = recorded[0]?.decision;
    expect(says(replies, 200)).toHaveLength(25);
    for (const reply of says(replies, 200)) expect(reply.json["status"]).toBe(won);
    for (const reply of says(replies, 409)) expect(reply.json["reason"]).toBe("decided_otherwise");
    expect(says(replies, 409)).toHaveLength(25);
    const settled = await ready.agent.reaches(taskId);
    if (won === "approved") expect(settled).toMatchObject({ state: "succeeded" });
    else expect(settled).toMatchObject({ state: "denied", reason: "refused_by_holder" });
    const orders = won === "approved" ? 1 : 0;
    expect(counters()).toMatchObject({ submits: orders, orders });
  });

  it("U23 the same decision again is the same answer, also from another session and after the order is placed", async () => {
    const { taskId, view } = await pending();
    const first = await ready.person.decide(view, "approved");
    const again = await ready.person.decide(view, "approved");
    const elsewhere = await Person.signIn(ready.world);
    await ready.agent.reaches(taskId);
    const late = await elsewhere.decide(view, "approved");
    expect([first.status, again.status, late.status]).toEqual([200, 200, 200]);
    for (const reply of [again, late])
      expect(reply.json).toMatchObject({ status: "approved", decided_at: first.json["decided_at"] });
    expect((await elsewhere.decide(view, "denied")).json["reason"]).toBe("decided_otherwise");
    const [signed, ...more] = await approvals(taskId);
    expect(more).toEqual([]);
    // APR-6: it is used up, in the transaction that crossed, so that nothing can cross with it again.
    const uses = await system(() =>
      ready.world.gateway.core.store.db.selectFrom("approval_use").select(["approval_ref", "task_id"]).execute(),
    );
    expect(uses).toEqual([{ approval_ref: signed?.["approval_ref"], task_id: taskId }]);
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("another digest is another record", async () => {
    const { taskId, view } = await pending();
    const reply = await ready.person.decide(view, "approved", { action_digest: "A".repeat(43) });
    expect([reply.status, reply.json["reason"]]).toEqual([409, "conflict"]);
    expect(await approvals(taskId)).toEqual([]);
  });
});

describe("APR-6 U24 each end of a record has its own word", () => {
  interface Ending {
    readonly end: (taskId: string, view: JsonObject) => Promise<unknown>;
    readonly status: string;
    readonly refusal: string;
    readonly http: number;
    readonly task: JsonObject;
  }
  const endings: Readonly<Record<string, Ending>> = {
    denied: {
      end: (_task, view) => ready.person.decide(view, "denied"),
      status: "denied",
      refusal: "decided_otherwise",
      http: 409,
      task: { state: "denied", reason: "refused_by_holder" },
    },
    expired: {
      end: async () => ready.world.advance(16 * 60_000),
      status: "expired",
      refusal: "decision_expired",
      http: 410,
      task: { state: "expired", reason: "approval_expired" },
    },
    "withdrawn by the agent": {
      end: (taskId) => ready.agent.post(`/v1/tasks/${taskId}/cancel`, {}),
      status: "withdrawn_by_agent",
      refusal: "record_withdrawn_by_agent",
      http: 409,
      task: { state: "cancelled", reason: "withdrawn_by_agent" },
    },
    "withdrawn by the holder": {
      end: (taskId) => ready.person.post(`/tasks/${taskId}/withdraw`),
      status: "withdrawn_by_holder",
      refusal: "record_withdrawn_by_holder",
      http: 409,
      task: { state: "cancelled", reason: "withdrawn_by_holder" },
    },
    "stopped by a revoked grant": {
      end: () => ready.person.post(`/consents/${ready.consentRef}/revoke`),
      status: "stopped",
      refusal: "record_stopped",
      http: 409,
      task: { state: "denied", reason: "grant_revoked" },
    },
  };

  it.each(Object.entries(endings))("%s", async (_name, { end, status, refusal, http, task }) => {
    const { taskId, view } = await pending();
    await end(taskId, view);
    await settled(taskId, task);
    const page = await ready.person.get(`/approvals/${String(view["action_id"])}`);
    expect(page.json).toMatchObject({ status, task_state: task["state"], task_reason: task["reason"] });
    const late = await ready.person.decide(view, "approved");
    expect([late.status, late.json["reason"]]).toEqual([http, refusal]);
    await settled(taskId, task);
    expect(counters()).toMatchObject({ submits: 0, orders: 0 });
  });

  /** Seen by the person: the agent's token is older than the record by then. */
  async function settled(taskId: string, task: JsonObject): Promise<void> {
    const reply = await until(
      () => ready.person.get(`/tasks/${taskId}`),
      (r) => r.json["state"] !== "approval_required",
      "the end of the task",
    );
    expect(reply.json).toMatchObject(task);
  }

  it("superseded: the page says so, the agent sees that a fresh one waits, and the words above are all different", async () => {
    const { taskId, view } = await pending();
    ready.world.shop.control.total(100);
    await ready.person.decide(view, "approved");
    await ready.agent.reaches(taskId, "approval_required");
    await ready.person.approvalFor(taskId);
    const page = await ready.person.get(`/approvals/${String(view["action_id"])}`);
    expect(page.json["status"]).toBe("superseded");
    const late = await ready.person.decide(view, "approved");
    expect([late.status, late.json["reason"]]).toEqual([409, "record_superseded"]);
    const events = (await ready.person.get(`/tasks/${taskId}`)).json["events"] as JsonObject[];
    expect(events.map((e) => e["step"])).toContain("superseded");
    const all = Object.values(endings);
    expect(new Set([...all.map((e) => e.status), "superseded"]).size).toBe(all.length + 1);
    expect(new Set([...all.map((e) => e.refusal), "record_superseded"]).size).toBe(all.length + 1);
    expect(new Set(all.map((e) => JSON.stringify(e.task))).size).toBe(all.length);
  });

  it("the instant at which it expires it cannot be decided, although nobody has looked at it yet", async () => {
    const { view } = await pending();
    const { core } = ready.world.gateway;
    await system(() =>
      core.store.db
        .updateTable("action")
        .set({ expires_at: core.now() })
        .where("action_id", "=", String(view["action_id"]))
        .execute(),
    );
    expect((await ready.person.decide(view, "approved")).json["reason"]).toBe("decision_expired");
    expect(counters().submits).toBe(0);
  });
});

describe("APR-1 what waits, waits in its row", () => {
  it("U16 a decision is acted on although nobody knocks: within a poll period the row is found", async () => {
    const { taskId, view } = await pending();
    Object.assign(ready.world.gateway.core, { poke: () => {} });
    await ready.person.decide(view, "approved");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("U15 a restart while it waits: the same record, the same page, one order", async () => {
    const { taskId, view } = await pending();
    await ready.world.restart();
    const after = await ready.person.approvalFor(taskId);
    expect(after["action_digest"]).toBe(view["action_digest"]);
    await ready.person.decide(after, "approved");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  });
});

describe("APR-6 U18 an approval is spent by its own record alone", () => {
  it("approved A, resumed with B: nothing leaves, A has none any more, B is asked anew", async () => {
    const a = await pending();
    const b = await pending({ parameters: { max_total_minor: 5999 }, expires_at: hoursAhead(3) });
    ready.world.shop.control.delay(1_500, { at: "page" });
    await ready.person.decide(a.view, "approved");
    const { core } = ready.world.gateway;
    const actionId = String(b.view["action_id"]);
    // Somebody with access to the store hands A's approval to B: the signed words still say A.
    await system(() =>
      core.store.transaction(async (tx) => {
        await tx
          .updateTable("approval")
          .set({ action_id: actionId, task_id: b.taskId })
          .where("task_id", "=", a.taskId)
          .execute();
        await tx.updateTable("action").set({ status: "approved" }).where("action_id", "=", actionId).execute();
        await tx
          .updateTable("task")
          .set((eb) => ({
            state: "executing",
            due_at: core.now(),
            approval_ref: eb.selectFrom("task as a").select("a.approval_ref").where("a.task_id", "=", a.taskId),
          }))
          .where("task_id", "=", b.taskId)
          .execute();
      }),
    );
    core.poke();
    await ready.agent.reaches(a.taskId, "approval_required");
    await ready.agent.reaches(b.taskId, "approval_required");
    expect(counters()).toMatchObject({ submits: 0, orders: 0 });
    for (const { taskId, view } of [a, b])
      expect((await ready.person.approvalFor(taskId))["action_id"]).not.toBe(view["action_id"]);
  });
});
