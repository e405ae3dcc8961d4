import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addPerson, addTenant, newSignInLink } from "../packages/gateway/src/people/people.ts";
import { Agent, hoursAhead, orderRequest } from "./support/agent.ts";
import { send, until } from "./support/http.ts";
import { pageHeaders } from "./support/person.ts";
import { inStore, readyWorld } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

async function pending(change: Parameters<typeof orderRequest>[1] = {}): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  expect(submitted.status).toBe(201);
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}

const counters = () => ready.world.shop.control.counters();

describe("the published behaviours", () => {
  it("PUB-1 REQ-2 another tenant's references answer as unknown ones do, byte for byte", async () => {
    const { world } = ready;
    const { core } = world.gateway;
    const stranger = await inStore(ready.world.gateway, async (db) =>
      addPerson(core, db, { tenantId: await addTenant(core, db, "Elsewhere"), name: "Stranger" }),
    );
    await inStore(world.gateway, (db) =>
      db
        .insertInto("account")
        .values({
          account_ref: "acct_foreign",
          tenant_id: stranger.tenantId,
          person_id: stranger.personId,
          destination: "practice-shop",
          name: "x",
          created_at: 1,
        })
        .execute(),
    );
    const foreignTask = await pending();
    const other = await Agent.join(world, ready.person, "Another agent");
    const pairs = [
      ["GET", "/v1/accounts/acct_foreign/capabilities", "/v1/accounts/acct_unknown/capabilities"],
      ["GET", `/v1/tasks/${foreignTask}`, "/v1/tasks/task_unknown"],
      ["GET", `/v1/tasks/${foreignTask}/result`, "/v1/tasks/task_unknown/result"],
      ["GET", `/v1/tasks/${foreignTask}/receipt`, "/v1/tasks/task_unknown/receipt"],
      ["GET", `/v1/tasks/${foreignTask}/events`, "/v1/tasks/task_unknown/events"],
      ["POST", `/v1/tasks/${foreignTask}/cancel`, "/v1/tasks/task_unknown/cancel"],
      ["GET", `/v1/consents/${ready.consentRef}`, "/v1/consents/cons_unknown"],
    ] as const;
    for (const [method, foreign, unknown] of pairs) {
      const [a, b] = await Promise.all(
        [foreign, unknown].map((path) => (method === "GET" ? other.get(path) : other.post(path, {}))),
      );
      expect(a?.status, foreign).toBe(404);
      expect(withoutDate(a), foreign).toEqual(withoutDate(b));
    }
    const requests = ["acct_foreign", "acct_unknown"].map((accountRef) => orderRequest({ ...ready, accountRef }));
    const [a, b] = await Promise.all(requests.map((request) => ready.agent.post("/v1/tasks", request)));
    expect(a?.status).toBe(404);
    expect(withoutDate(a)).toEqual(withoutDate(b));
  });

  it("PUB-1 a signed-in person of another tenant sees nothing of this one", async () => {
    const { core } = ready.world.gateway;
    const taskId = await pending();
    const view = await ready.person.approvalFor(taskId);
    const stranger = await inStore(ready.world.gateway, async (db) =>
      addPerson(core, db, { tenantId: await addTenant(core, db, "Elsewhere"), name: "Stranger" }),
    );
    const link = await inStore(ready.world.gateway, () => newSignInLink(core, stranger.personId));
    const session = await send(ready.world.issuer, "POST", "/trusted/v1/session", {
      headers: pageHeaders(ready.world.issuer),
      body: JSON.stringify({ link_token: link.reveal() }),
    });
    const [cookie = "", page = ""] = (session.headers["set-cookie"] ?? []).map((line) => line.split(";")[0] ?? "");
    for (const path of [
      `/approvals/${String(view["action_id"])}`,
      `/tasks/${taskId}`,
      `/tasks/${taskId}/bundle`,
      `/consents/${ready.consentRef}`,
    ]) {
      const reply = await send(ready.world.issuer, "GET", `/trusted/v1${path}`, { headers: { cookie } });
      expect(reply.status, path).toBe(404);
    }
    const decision = await send(
      ready.world.issuer,
      "POST",
      `/trusted/v1/approvals/${String(view["action_id"])}/decision`,
      {
        headers: { ...pageHeaders(ready.world.issuer, page.split("=")[1]), cookie },
        body: JSON.stringify({
          decision: "approved",
          action_digest: view["action_digest"],
          surface: { version: "x", display_digest: "x".repeat(43) },
        }),
      },
    );
    expect(decision.status).toBe(404);
    expect(counters().submits).toBe(0);
  });

  it("PUB-2 CON-1 a grant revoked between approval and commit: denied, nothing submitted", async () => {
    const taskId = await pending();
    const view = await ready.person.approvalFor(taskId);
    ready.world.shop.control.delay(1_500, { at: "page" });
    await ready.person.decide(view, "approved");
    const revoked = await ready.person.post(`/consents/${ready.consentRef}/revoke`);
    expect(revoked.json["state"]).toBe("revoked");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "grant_revoked" });
    expect(counters()).toMatchObject({ submits: 0, orders: 0 });
    const later = await ready.agent.post("/v1/tasks", orderRequest(ready));
    expect(later.json).toMatchObject({ state: "denied", reason: "grant_revoked" });
  });

  it("PUB-3 APR-3 nothing that an agent can send decides anything", async () => {
    const { world, agent, person } = ready;
    const taskId = await pending();
    const view = await person.approvalFor(taskId);
    const action = view["action"] as { private: { display_text: string } };
    const body = {
      decision: "approved",
      action_digest: view["action_digest"],
      surface: { version: "1", display_digest: action.private.display_text },
    };
    const path = `/trusted/v1/approvals/${String(view["action_id"])}/decision`;
    const attempts = [
      await agent.post(path, body),
      await agent.post(path, body, pageHeaders(world.issuer)),
      await agent.post(path, body, { ...pageHeaders(world.issuer), cookie: person.cookie }),
      await send(world.issuer, "POST", path, { headers: pageHeaders(world.issuer), body: JSON.stringify(body) }),
      await person.post(`/approvals/${String(view["action_id"])}/decision`, body, { origin: "https://evil.example" }),
      await person.post(`/approvals/${String(view["action_id"])}/decision`, body, { "sec-fetch-site": "cross-site" }),
      await person.post(`/approvals/${String(view["action_id"])}/decision`, body, { "x-countersign": "" }),
      await agent.post(`/v1/tasks/${taskId}/approve`, { approved: true }),
      await agent.post(`/trusted/v1/consents/${ready.consentRef}/decision`, { decision: "grant" }),
    ];
    expect(attempts.map((a) => a.status)).toEqual([403, 403, 403, 401, 403, 403, 403, 404, 403]);
    const forged = await agent.post("/v1/tasks", { ...orderRequest(ready), approved: true });
    expect(forged.status).toBe(400);
    expect(forged.json["problems"]).toEqual([{ pointer: "/approved", rule: "unknown member" }]);
    expect((await agent.task(taskId)).json["state"]).toBe("approval_required");
    expect(counters().submits).toBe(0);
  });

  it("PUB-4 APR-4 a price that moved between approval and commit asks again; the old approval is dead", async () => {
    const taskId = await pending();
    const first = await ready.person.approvalFor(taskId);
    ready.world.shop.control.total(200);
    await ready.person.decide(first, "approved");
    await ready.agent.reaches(taskId, "approval_required");
    const second = await ready.person.approvalFor(taskId);
    expect(second["action_id"]).not.toBe(first["action_id"]);
    expect(second["changed_from"]).toMatchObject({ terms: { total_minor: 4990 } });
    expect(second["action"]).toMatchObject({ terms: { total_minor: 5190 } });
    expect((await ready.person.decide(first, "approved")).status).toBe(409);
    expect(counters().submits).toBe(0);
    await ready.person.decide(second, "approved");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    expect(ready.world.shop.control.orders()[0]).toMatchObject({ totalMinor: 5190 });
  });

  it("PUB-4 APR-4 a lower price commits, and the receipt says what was charged", async () => {
    const taskId = await pending();
    const view = await ready.person.approvalFor(taskId);
    ready.world.shop.control.total(-100);
    await ready.person.decide(view, "approved");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    const story = await until(
      () => ready.person.get(`/tasks/${taskId}`),
      (r) => r.json["receipt"] !== undefined,
      "the signed receipt",
    );
    expect(story.json["receipt"]).toMatchObject({ observed: { total_minor: 4890 } });
  });

  it("PUB-4 APR-4 another title for the same item asks again", async () => {
    const taskId = await pending();
    const view = await ready.person.approvalFor(taskId);
    ready.world.shop.control.title("Trail Lamp 200 (refurbished)");
    await ready.person.decide(view, "approved");
    expect(await ready.agent.reaches(taskId, "approval_required")).toMatchObject({ state: "approval_required" });
    expect(counters().submits).toBe(0);
  });

  it("REQ-8 a total above the request's own maximum is denied and never asked", async () => {
    const submitted = await ready.agent.post(
      "/v1/tasks",
      orderRequest(ready, { parameters: { max_total_minor: 4989 } }),
    );
    expect(await ready.agent.reaches(String(submitted.json["task_id"]), "approval_required")).toMatchObject({
      state: "denied",
      reason: "over_limit",
    });
    expect((await ready.person.get("/inbox")).text).not.toContain('"approval"');
  });

  it("REQ-8 PUB-4 a price raised above the maximum after the approval is denied, not asked again", async () => {
    const taskId = await pending({ parameters: { max_total_minor: 5000 } });
    const view = await ready.person.approvalFor(taskId);
    ready.world.shop.control.total(500);
    await ready.person.decide(view, "approved");
    expect(await ready.agent.reaches(taskId, "approval_required")).toMatchObject({
      state: "denied",
      reason: "over_limit",
    });
    expect(counters().submits).toBe(0);
  });

  it("PUB-5 REQ-4 same key, other body: a conflict; same key, other request_id: the same task, marked as a replay", async () => {
    const request = orderRequest(ready);
    const first = await ready.agent.post("/v1/tasks", request);
    const again = await ready.agent.post("/v1/tasks", { ...request, request_id: `req_${randomUUID()}` });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(again.json["task_id"]).toBe(first.json["task_id"]);
    for (const change of [
      { parameters: { ...(request["parameters"] as object), quantity: 2 } },
      { expires_at: hoursAhead(3) },
    ]) {
      const other = await ready.agent.post("/v1/tasks", { ...request, ...change });
      expect(other.status).toBe(409);
      expect(other.json).toMatchObject({ reason: "idempotency_conflict", task_id: first.json["task_id"] });
    }
  });

  it("PUB-5 REQ-4 (U13) an invalid body does not spend its key", async () => {
    const request = orderRequest(ready);
    const invalid = await ready.agent.post("/v1/tasks", {
      ...request,
      parameters: { ...(request["parameters"] as object), quantity: 0 },
    });
    expect(invalid.json).toMatchObject({ status: 400, problems: [{ pointer: "/parameters/quantity" }] });
    expect((await ready.agent.post("/v1/tasks", request)).status).toBe(201);
  });

  it("PUB-5 REQ-4 (U01) twenty equal requests at once make one task", async () => {
    const request = orderRequest(ready);
    const replies = await Promise.all(Array.from({ length: 20 }, () => ready.agent.post("/v1/tasks", request)));
    expect(replies.filter((r) => r.status === 201)).toHaveLength(1);
    expect(new Set(replies.map((r) => r.json["task_id"])).size).toBe(1);
  });

  it("PUB-6 STA-3 a lost checkout response is reconciled without submitting twice", async () => {
    const taskId = await pending();
    const view = await ready.person.approvalFor(taskId);
    ready.world.shop.control.commitThenDrop({ times: 1 });
    await ready.person.decide(view, "approved");
    const done = await ready.agent.reaches(taskId);
    expect(done["state"]).toBe("succeeded");
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    const states = ((await ready.person.get(`/tasks/${taskId}`)).json["events"] as { state: string }[]).map(
      (e) => e.state,
    );
    expect(states).toContain("outcome_unknown");
    const story = await ready.person.get(`/tasks/${taskId}`);
    expect(story.json["receipt"]).toMatchObject({
      outcome: "succeeded",
      destination: { how: "read back at the site" },
    });
  });

  it.each([400, 402, 408, 409, 429, 500, 502, 503, "half_body", "sign_in_page", "sign_in_redirect"] as const)(
    "STA-4 (U08) the shop commits and answers %s: unknown, then found, one order",
    async (answer) => {
      const taskId = await pending();
      const view = await ready.person.approvalFor(taskId);
      ready.world.shop.control.commitThen(answer, { times: 1 });
      await ready.person.decide(view, "approved");
      expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
      const states = ((await ready.person.get(`/tasks/${taskId}`)).json["events"] as { state: string }[]).map(
        (e) => e.state,
      );
      expect(states).toContain("outcome_unknown");
      expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    },
  );

  it("STA-4 a refusal that the shop itself makes is failed, and nothing is read back", async () => {
    const taskId = await pending();
    const view = await ready.person.approvalFor(taskId);
    ready.world.shop.control.refuse({ times: 1 });
    await ready.person.decide(view, "approved");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "failed", reason: "site_refused" });
    expect(counters()).toMatchObject({ submits: 1, orders: 0 });
  });
});

function withoutDate(reply: Awaited<ReturnType<typeof send>> | undefined): object {
  const { date: _, ...headers } = reply?.headers ?? {};
  return { status: reply?.status, headers, text: reply?.text };
}
