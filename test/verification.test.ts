import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ABSENT_SETTLE_MS, VERIFICATION_LIFE_MS } from "../packages/gateway/src/limits.ts";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { filesBelow, leaks } from "./support/leaks.ts";
import { Person } from "./support/person.ts";
import { bankCode, begin, orderThatWaits, sendCode } from "./support/verification.ts";
import { inStore, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

const waits = () => orderThatWaits({ ...ready, refs: ready });
const shop = () => ready.world.shop.control;
const counters = () => shop().counters();
const settles = (taskId: string) => ready.agent.reaches(taskId);
const statesOf = async (taskId: string) =>
  ((await ready.person.get(`/tasks/${taskId}`)).json["events"] as { state: string }[]).map((e) => e.state);
/** The account holder's view of it: an agent's token does not outlive a moved clock. */
const comesTo = (taskId: string, state: string, look = () => {}) =>
  until(
    () => {
      look();
      return ready.person.get(`/tasks/${taskId}`);
    },
    (r) => r.json["state"] === state,
    state,
  );

describe("a verification that the site demands after the submission", () => {
  it("MFA-6 keeps the task executing with a continuation; the code finishes it, and there is one order", async () => {
    const { taskId, ref } = await waits();
    const seen = await ready.agent.task(taskId);
    expect(seen.json).toMatchObject({ state: "executing", continuation_ref: ref });
    expect(seen.json["next_step"]).toContain("verify");
    expect(seen.json["receipt_ref"]).toBeUndefined();
    const inbox = await ready.person.get("/inbox");
    expect(inbox.json["items"]).toMatchObject([{ kind: "verification", href: `/continuations/${ref}` }]);
    expect((await ready.person.get(`/continuations/${ref}`)).json).toMatchObject({
      kind: "verification",
      state: "waiting",
      task: { task_id: taskId },
    });
    await begin(ready.person, ref);
    const done = await sendCode(ready.person, ref, bankCode(ready.person));
    expect(done.json).toMatchObject({ kind: "done", task_state: "succeeded" });
    const settled = await settles(taskId);
    expect(settled).toMatchObject({ state: "succeeded" });
    expect(settled["continuation_ref"]).toBeUndefined();
    expect(await statesOf(taskId)).not.toContain("outcome_unknown");
    expect(counters()).toMatchObject({ submits: 1, orders: 1, verifications: 1 });
    expect((await ready.agent.get(`/v1/tasks/${taskId}/result`)).json["result"]).toMatchObject({
      order_number: shop().orders()[0]?.number,
    });
    expect((await ready.person.get("/inbox")).json["items"]).toEqual([]);
  });

  it("MFA-6 a wrong code is asked again, and the right one then goes through", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    const wrong = await sendCode(ready.person, ref, "x00000");
    expect(wrong.json).toMatchObject({ kind: "more" });
    expect(String(wrong.json["message"])).toContain("did not take");
    expect((await ready.agent.task(taskId)).json).toMatchObject({ state: "executing", continuation_ref: ref });
    expect((await sendCode(ready.person, ref, bankCode(ready.person))).json).toMatchObject({ task_state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1, wrongCodes: 1 });
  });

  it("MFA-6 a bank that declines is the site's own refusal: failed, nothing read back, nothing ordered", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    for (const wrong of ["x1", "x2"]) await sendCode(ready.person, ref, wrong);
    expect((await sendCode(ready.person, ref, "x3")).json).toMatchObject({ kind: "done", task_state: "failed" });
    expect(await settles(taskId)).toMatchObject({ state: "failed", reason: "site_refused" });
    expect(counters()).toMatchObject({ submits: 1, orders: 0 });
  });

  it("MFA-6 nobody comes: it lapses into unknown, and the order that the bank let through is found", async () => {
    const { taskId, ref } = await waits();
    shop().bankApproves();
    shop().readBack("down");
    ready.world.advance(VERIFICATION_LIFE_MS);
    const now = await comesTo(taskId, "outcome_unknown");
    expect(now.json).toMatchObject({ reason: "awaiting_confirmation" });
    expect((await ready.person.post(`/continuations/${ref}/begin`)).status).toBe(410);
    shop().readBack("up");
    ready.world.advance(60_000);
    await comesTo(taskId, "succeeded");
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("MFA-6 STA-4 nobody comes and the bank still waits: unknown, never called absent, until the shop has dropped it", async () => {
    const { taskId } = await waits();
    ready.world.advance(VERIFICATION_LIFE_MS);
    await comesTo(taskId, "outcome_unknown");
    ready.world.advance(ABSENT_SETTLE_MS + 60_000);
    const readings = () => ready.world.logLines.filter((line) => line.includes("reconcile.again")).length;
    const before = readings();
    await until(
      async () => {
        ready.world.advance(60_000);
        return readings();
      },
      (n) => n >= before + 2,
      "two readings after the settling time",
    );
    expect((await ready.person.get(`/tasks/${taskId}`)).json["state"]).toBe("outcome_unknown");
    shop().bankDrops();
    const settled = await comesTo(taskId, "failed", () => ready.world.advance(60_000));
    expect(settled.json).toMatchObject({ state: "failed", reason: "not_done" });
    expect(counters()).toMatchObject({ submits: 1, orders: 0 });
  });

  it("MFA-6 STA-4 an absence counts from the end of the verification on, however long ago the submission was", async () => {
    const { taskId } = await waits();
    ready.world.advance(VERIFICATION_LIFE_MS);
    await comesTo(taskId, "outcome_unknown");
    const readings = () => ready.world.logLines.filter((line) => line.includes("not there yet")).length;
    const before = readings();
    shop().bankDrops();
    await until(
      async () => {
        ready.world.advance(1_000);
        return readings();
      },
      (n) => n > before,
      "a reading that finds nothing",
    );
    expect((await ready.person.get(`/tasks/${taskId}`)).json["state"]).toBe("outcome_unknown");
    ready.world.advance(ABSENT_SETTLE_MS);
    const settled = await comesTo(taskId, "failed", () => ready.world.advance(60_000));
    expect(settled.json).toMatchObject({ state: "failed", reason: "not_done" });
  });

  it("MFA-6 the answer to the code is lost: unknown at once, the form is over, and the order is found", async () => {
    const { taskId, ref } = await waits();
    shop().verifyThenDrop({ times: 1 });
    await begin(ready.person, ref);
    const code = bankCode(ready.person);
    expect((await sendCode(ready.person, ref, code)).json).toMatchObject({
      kind: "done",
      task_state: "outcome_unknown",
    });
    expect(await settles(taskId)).toMatchObject({ state: "succeeded" });
    expect(await statesOf(taskId)).toContain("outcome_unknown");
    expect((await sendCode(ready.person, ref, code)).status).toBe(410);
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("MFA-3 MFA-6 two windows send the code at once: the site is asked once, the continuation is spent once", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    const code = bankCode(ready.person);
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendCode(ready.person, ref, code)));
    expect(answers.filter((a) => a.json["kind"] === "done")).toHaveLength(1);
    expect(answers.every((a) => [200, 410, 503].includes(a.status))).toBe(true);
    expect(await settles(taskId)).toMatchObject({ state: "succeeded" });
    const sent = shop()
      .requests()
      .filter((r) => r.method === "POST" && r.path.startsWith("/api/v1/verifications/"));
    expect(sent).toHaveLength(1);
    const used = await inStore(ready.world.gateway, (db) =>
      db.selectFrom("continuation_use").selectAll().where("continuation_ref", "=", ref).execute(),
    );
    expect(used).toHaveLength(1);
  });

  it("MFA-3 U39 begun in one browser, the code from another: nothing is sent, and both are told", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    const other = await Person.signIn(ready.world);
    expect((await sendCode(other, ref, bankCode(ready.person))).json["reason"]).toBe("begun_elsewhere");
    expect(counters()).toMatchObject({ orders: 0, wrongCodes: 0 });
    expect((await ready.person.get(`/continuations/${ref}`)).json["tried_elsewhere_at"]).toBeDefined();
    const done = await sendCode(ready.person, ref, bankCode(ready.person));
    expect(done.json).toMatchObject({ kind: "done", task_state: "succeeded" });
    expect(done.json["tried_elsewhere_at"]).toBeDefined();
    expect(await settles(taskId)).toMatchObject({ state: "succeeded" });
  });

  it("U41 a code for a continuation that nobody has begun is answered as an unknown one", async () => {
    const { ref } = await waits();
    const guessed = await sendCode(ready.person, ref, bankCode(ready.person));
    const none = await sendCode(ready.person, "cont_unknown", "123456");
    expect([guessed.status, guessed.text]).toEqual([none.status, none.text]);
    expect(counters()).toMatchObject({ orders: 0 });
  });

  it("MFA-6 CON-1 a grant revoked meanwhile stops nothing that was submitted: the person's act at their bank counts", async () => {
    const { taskId, ref } = await waits();
    expect((await ready.person.post(`/consents/${ready.consentRef}/revoke`)).status).toBe(200);
    expect((await ready.agent.task(taskId)).json["state"]).toBe("executing");
    await begin(ready.person, ref);
    await sendCode(ready.person, ref, bankCode(ready.person));
    expect(await settles(taskId)).toMatchObject({ state: "succeeded" });
    const next = await ready.agent.post("/v1/tasks", orderRequest(ready));
    expect(next.json).toMatchObject({ state: "denied", reason: "grant_revoked" });
  });

  it("MFA-6 while the person is waited for, other work of the account goes on, and withdrawing changes nothing", async () => {
    const { taskId, ref } = await waits();
    const list = { ...orderRequest(ready), operation: "retail.orders.list", parameters: {} };
    const listed = await ready.agent.post("/v1/tasks", list);
    expect(await settles(String(listed.json["task_id"]))).toMatchObject({ state: "succeeded" });
    expect((await ready.agent.post(`/v1/tasks/${taskId}/cancel`, {})).json).toMatchObject({ state: "executing" });
    const row = await inStore(ready.world.gateway, (db) =>
      db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow(),
    );
    expect(row).toMatchObject({ lease_owner: null, continuation_ref: ref });
  });

  it("MFA-6 looked at before its time, it goes on waiting", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    const due = () =>
      inStore(ready.world.gateway, (db) =>
        db.selectFrom("task").select("due_at").where("task_id", "=", taskId).executeTakeFirstOrThrow(),
      );
    const { due_at: before } = await due();
    await inStore(ready.world.gateway, (db) =>
      db.updateTable("task").set({ due_at: 1 }).where("task_id", "=", taskId).execute(),
    );
    ready.world.gateway.core.poke();
    await until(due, (now) => now.due_at === before, "the task to be due at its end again");
    expect((await sendCode(ready.person, ref, bankCode(ready.person))).json).toMatchObject({ task_state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("MFA-6 a restart of the gateway leaves the form where it was", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    await ready.world.restart();
    expect((await ready.agent.task(taskId)).json).toMatchObject({ state: "executing", continuation_ref: ref });
    expect((await sendCode(ready.person, ref, bankCode(ready.person))).json).toMatchObject({ task_state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("MFA-6 signed out at the site meanwhile: nothing is sent, and after the time it is read back once signed in", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    const code = bankCode(ready.person);
    shop().endSession();
    expect((await sendCode(ready.person, ref, code)).json).toMatchObject({ task_state: "outcome_unknown" });
    shop().bankApproves();
    const asked = await until(
      () => ready.agent.task(taskId),
      (r) => r.json["state"] === "outcome_unknown" && r.json["continuation_ref"] !== undefined,
      "the sign-in that a read-back needs",
    );
    const next = String(asked.json["continuation_ref"]);
    expect(next).not.toBe(ref);
    await ready.person.signInAtShop(next);
    expect(await settles(taskId)).toMatchObject({ state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("AUT-4 MFA-2 MFA-6 the bank's code goes to the site, and is found nowhere else", async () => {
    const { taskId, ref } = await waits();
    await begin(ready.person, ref);
    const wrong = "canary-code-77aa";
    const right = bankCode(ready.person);
    shop().plantCanary(wrong);
    const answers = [await sendCode(ready.person, ref, wrong), await sendCode(ready.person, ref, right)];
    await settles(taskId);
    expect(counters().canaryHits).toBe(1);
    const agentSees = await Promise.all(
      [`/v1/tasks/${taskId}`, "/v1/tasks", `/v1/tasks/${taskId}/result`, `/v1/tasks/${taskId}/receipt`].map((p) =>
        ready.agent.get(p),
      ),
    );
    const bundle = await ready.person.get(`/tasks/${taskId}/bundle`);
    const places = new Map<string, string | Uint8Array>([
      ...filesBelow(ready.world.dataDir),
      ["log", ready.world.logLines.join("\n")],
      ["bundle", bundle.text],
      ...[...agentSees, ...answers].map((reply, i) => [`body ${i}`, reply.text] as const),
    ]);
    expect(leaks({ wrong, right }, places)).toEqual([]);
    expect(agentSees.every((reply) => !reply.text.includes("verification_id"))).toBe(true);
  });
});
