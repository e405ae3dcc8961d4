import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { isJsonObject, parseJws } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { send, until } from "./support/http.ts";
import { pageHeaders } from "./support/person.ts";
import { inStore, readyWorld } from "./support/world.ts";

const DRAFT = new URL("../packages/profile/fixtures/draft-request.json", import.meta.url);

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeAll(async () => {
  ready = await readyWorld();
});
afterAll(() => ready.world.close());

const read = (change = {}) => orderRequest(ready, { operation: "retail.orders.list", ...change });

async function settledRead(): Promise<string> {
  const request = { ...read(), parameters: { limit: 2 } };
  const submitted = await ready.agent.post("/v1/tasks", request);
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId);
  return taskId;
}

describe("the HTTP binding", () => {
  it("REQ-10 a read returns the shop's own rows, validated, and none of them in the receipt", async () => {
    const taskId = await settledRead();
    const task = await ready.agent.task(taskId);
    expect(task.json).toMatchObject({ state: "succeeded", result_ref: `/v1/tasks/${taskId}/result`, poll_after_ms: 0 });
    const result = await ready.agent.get(`/v1/tasks/${taskId}/result`);
    const shown = ready.world.shop.control.orders();
    expect(result.json["result"]).toMatchObject({ orders: [{ currency: "EUR" }, { currency: "EUR" }] });
    const rows = (result.json["result"] as { orders: { order_number: string }[] }).orders.map((o) => o.order_number);
    expect(shown.map((o) => o.number)).toEqual(expect.arrayContaining(rows));
    const receipt = await until(
      () => ready.agent.get(`/v1/tasks/${taskId}/receipt`),
      (r) => r.status === 200,
      "the receipt",
    );
    const parsed = parseJws(String(receipt.json["receipt"]));
    expect(parsed.ok && parsed.value.payload).toMatchObject({
      outcome: "succeeded",
      operation: "retail.orders.list",
      source: "gateway",
    });
    expect(parsed.ok && Object.keys(parsed.value.payload)).not.toContain("action_digest");
    for (const row of rows) expect(JSON.stringify(parsed)).not.toContain(row);
  });

  it("REQ-10 a result can be read for a day, and then is gone", async () => {
    const taskId = await settledRead();
    const { core } = ready.world.gateway;
    await inStore(ready.world.gateway, (db) =>
      db.updateTable("task").set({ result_expires_at: core.now() }).where("task_id", "=", taskId).execute(),
    );
    expect((await ready.agent.get(`/v1/tasks/${taskId}/result`)).status).toBe(410);
  });

  it("STA-1 (U16) events are numbered, stream until the end, and resume after the last one seen", async () => {
    const taskId = await settledRead();
    const all = await ready.agent.get(`/v1/tasks/${taskId}/events`);
    expect(all.headers["content-type"]).toContain("text/event-stream");
    const ids = [...all.text.matchAll(/^id: (\d+)$/gm)].map((m) => Number(m[1]));
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    const states = [...all.text.matchAll(/^data: (.*)$/gm)].map((m) => JSON.parse(m[1] ?? "{}").state);
    expect(states.at(0)).toBe("received");
    expect(states.at(-1)).toBe("succeeded");
    const rest = await send(ready.world.issuer, "GET", `/v1/tasks/${taskId}/events`, {
      headers: { authorization: `Bearer ${ready.agent.token}`, "last-event-id": "2" },
    });
    expect(rest.text.startsWith("id: 3\n")).toBe(true);
  });

  it("U16 a gateway that stops ends the streams that are open, and is not kept by them; they go on after it", async () => {
    const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const taskId = String(submitted.json["task_id"]);
    await ready.agent.reaches(taskId, "approval_required");
    const open = await fetch(`${ready.world.issuer}/v1/tasks/${taskId}/events`, {
      headers: { authorization: `Bearer ${ready.agent.token}` },
    });
    const [heard] = await Promise.all([open.text(), ready.world.restart()]);
    const last = [...heard.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? "";
    await ready.agent.post(`/v1/tasks/${taskId}/cancel`, {});
    const rest = await send(ready.world.issuer, "GET", `/v1/tasks/${taskId}/events`, {
      headers: { authorization: `Bearer ${ready.agent.token}`, "last-event-id": last },
    });
    expect(rest.text.startsWith(`id: ${Number(last) + 1}\n`)).toBe(true);
  });

  it("a gateway that stops is not kept by connections on which nothing was asked, or only begun", async () => {
    const { port, hostname } = new URL(ready.world.issuer);
    const open = ["", "GET /v1/tasks HTTP/1.1\r\nHost: gate"].map(async (begun) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.write(begun);
      // Cut off or ended, it is gone: `once` would fail at the first.
      return { closed: new Promise((resolve) => socket.once("close", resolve)) };
    });
    const sockets = await Promise.all(open);
    // The gateway has them once it has answered somebody who came after them.
    await ready.agent.get("/v1/tasks");
    await ready.world.restart();
    await Promise.all(sockets.map(({ closed }) => closed));
  });

  it("STA-5 cancelling before the boundary withdraws; cancelling what is done says that it is done", async () => {
    const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const taskId = String(submitted.json["task_id"]);
    await ready.agent.reaches(taskId, "approval_required");
    const view = await ready.person.approvalFor(taskId);
    const cancelled = await ready.agent.post(`/v1/tasks/${taskId}/cancel`, {});
    expect(cancelled.json).toMatchObject({ state: "cancelled", reason: "withdrawn_by_agent" });
    expect((await ready.person.decide(view, "approved")).status).toBe(409);
    expect((await ready.person.get(`/approvals/${String(view["action_id"])}`)).json["status"]).toBe(
      "withdrawn_by_agent",
    );
    const done = await settledRead();
    expect((await ready.agent.post(`/v1/tasks/${done}/cancel`, {})).json["state"]).toBe("succeeded");
    expect(ready.world.shop.control.counters().submits).toBe(0);
  });

  it("APR-6 a denied task commits nothing; denying twice is the same answer, approving afterwards a conflict", async () => {
    const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const taskId = String(submitted.json["task_id"]);
    await ready.agent.reaches(taskId, "approval_required");
    const view = await ready.person.approvalFor(taskId);
    expect([
      (await ready.person.decide(view, "denied", { reason: "too dear" })).status,
      (await ready.person.decide(view, "denied")).status,
    ]).toEqual([200, 200]);
    expect((await ready.person.decide(view, "approved")).status).toBe(409);
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "refused_by_holder" });
    expect((await ready.person.get(`/approvals/${String(view["action_id"])}`)).json["note"]).toBe("too dear");
    expect((await ready.agent.get(`/v1/tasks/${taskId}/events`)).text).not.toContain("too dear");
    expect(ready.world.shop.control.counters().submits).toBe(0);
  });

  it("APR-6 (U22) of fifty decisions at once, for and against, one is recorded", async () => {
    const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const taskId = String(submitted.json["task_id"]);
    await ready.agent.reaches(taskId, "approval_required");
    const view = await ready.person.approvalFor(taskId);
    const before = ready.world.shop.control.counters().submits;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ready.person.decide(view, i % 2 === 0 ? "approved" : "denied")),
    );
    expect(new Set(replies.map((r) => r.status))).toEqual(new Set([200, 409]));
    const rows = await inStore(ready.world.gateway, (db) =>
      db.selectFrom("approval").selectAll().where("task_id", "=", taskId).execute(),
    );
    expect(rows).toHaveLength(1);
    const end = await ready.agent.reaches(taskId);
    expect(end["state"]).toBe(rows[0]?.decision === "approved" ? "succeeded" : "denied");
    expect(ready.world.shop.control.counters().submits - before).toBe(rows[0]?.decision === "approved" ? 1 : 0);
  });

  it("REQ-6 accounts and capabilities are there for whom a grant names them", async () => {
    const accounts = await ready.agent.get("/v1/accounts");
    expect(accounts.json["accounts"]).toMatchObject([
      { account_ref: ready.accountRef, connections: [{ route: "http", state: "connected" }] },
    ]);
    const capabilities = await ready.agent.get(`/v1/accounts/${ready.accountRef}/capabilities`);
    const operations = capabilities.json["operations"] as { operation: string; parameters: object }[];
    expect(operations.map((o) => o.operation).sort()).toEqual([
      "retail.deal.watch",
      "retail.item.get",
      "retail.order.cancel",
      "retail.order.submit",
      "retail.orders.list",
      "retail.wishlist.list",
      "subscription.cancel",
    ]);
    expect(operations[0]?.parameters).toHaveProperty("properties");
  });

  it("REQ-5 a request may not end further ahead than a month, and makes no task", async () => {
    const days = (n: number) => new Date(Date.now() + ready.world.offset() + n * 24 * 3_600_000).toISOString();
    const before = (await ready.agent.get("/v1/tasks")).json["tasks"];
    const refused = await ready.agent.post("/v1/tasks", orderRequest(ready, { expires_at: days(31) }));
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      reason: "invalid_request",
      problems: [{ pointer: "/expires_at", rule: "at most 30 days ahead" }],
    });
    expect((await ready.agent.get("/v1/tasks")).json["tasks"]).toEqual(before);
    const taken = await ready.agent.post("/v1/tasks", orderRequest(ready, { expires_at: days(29) }));
    expect(taken.status).toBe(201);
    // Left open it would hold up every equal order of the tests that follow.
    await ready.agent.post(`/v1/tasks/${String(taken.json["task_id"])}/cancel`, {});
  });

  it("REQ-6 what an account does not offer is a capability gap, said as such", async () => {
    const reply = await ready.agent.post("/v1/consents", {
      destination: "practice-shop",
      operations: ["banking.transfer.submit"],
      purpose: "x",
      expires_at: read()["expires_at"],
    });
    expect([reply.status, reply.json["reason"]]).toEqual([422, "capability_gap"]);
  });

  it("REQ-1 the draft's own example is refused at run time: its references are nobody's, its time is past", async () => {
    const draft = JSON.parse(readFileSync(DRAFT, "utf8"));
    expect((await ready.agent.post("/v1/tasks", draft)).status).toBe(404);
    const ours = { ...draft, account_ref: ready.accountRef, consent_ref: ready.consentRef };
    const reply = await ready.agent.post("/v1/tasks", ours);
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({ state: "expired", reason: "request_expired" });
  });

  it("REC-4 each account numbers its receipts without a gap", async () => {
    await settledRead();
    const rows = await until(
      () =>
        inStore(ready.world.gateway, (db) =>
          db
            .selectFrom("leaf")
            .select(["account_seq", "jws"])
            .where("kind", "=", "receipt")
            .orderBy("leaf_id")
            .execute(),
        ),
      (all) => all.every((r) => r.jws !== null),
      "every receipt to be signed",
    );
    expect(rows.map((r) => r.account_seq)).toEqual(rows.map((_, i) => i + 1));
  });

  it("REQ-7 what we are, how we are called and which keys we sign with stands in public", async () => {
    const about = await send(ready.world.issuer, "GET", "/.well-known/agentic-web-execution");
    expect(about.json).toMatchObject({ profiles: ["sophtron.agentic-web-execution/0.1"], issuer: ready.world.issuer });
    const keys = await send(ready.world.issuer, "GET", "/.well-known/countersign-keys");
    expect(parseJws(keys.text, { maxPayloadBytes: 65_536 }).ok).toBe(true);
    const openapi = await send(ready.world.issuer, "GET", "/openapi.json");
    expect(openapi.json).toMatchObject({ openapi: "3.1.0" });
    const { paths } = openapi.json;
    expect(paths !== undefined && isJsonObject(paths) && Object.keys(paths)).toContain("/v1/tasks/{id}/events");
    for (const path of ["/healthz", "/readyz"]) expect((await send(ready.world.issuer, "GET", path)).status).toBe(200);
  });
});

describe("links and hand-offs", () => {
  it("MFA-3 (U38) twenty fetches of a one-time link spend nothing; it signs in once, and once only", async () => {
    const { world } = ready;
    const token = (await world.gateway.signInLink()).reveal();
    for (let i = 0; i < 20; i++)
      await send(world.issuer, i % 2 === 0 ? "GET" : "HEAD", "/link", { headers: { "user-agent": "LinkPreviewBot" } });
    const redeem = () =>
      send(world.issuer, "POST", "/trusted/v1/session", {
        headers: pageHeaders(world.issuer),
        body: JSON.stringify({ link_token: token }),
      });
    const [first, second] = [await redeem(), await redeem()];
    expect([first.status, second.status]).toEqual([204, 410]);
    expect(String(first.headers["set-cookie"]?.[0])).toMatch(
      /^__Host-countersign=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it("MFA-3 (U39) a hand-off begun in one browser cannot be finished in another", async () => {
    const begun = await ready.person.post("/connections", { destination: "practice-shop", route: "http" });
    const ref = String(begun.json["continuation_ref"]);
    await ready.person.post(`/continuations/${ref}/begin`);
    const { Person } = await import("./support/person.ts");
    const elsewhere = await Person.signIn(ready.world);
    expect((await elsewhere.post(`/continuations/${ref}/begin`)).status).toBe(409);
    expect(
      (await elsewhere.post(`/continuations/${ref}/form`, { values: { email: "a@b.c", password: "x" } })).status,
    ).toBe(409);
    await ready.person.signInAtShop(ref);
    expect((await ready.person.post(`/continuations/${ref}/begin`)).status).toBe(410);
  });

  it("MFA-1 MFA-4 a session that ends while a task waits asks for a sign-in, and the task goes on after it", async () => {
    const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const taskId = String(submitted.json["task_id"]);
    await ready.agent.reaches(taskId, "approval_required");
    const view = await ready.person.approvalFor(taskId);
    ready.world.shop.control.endSession();
    const before = ready.world.shop.control.counters().orders;
    await ready.person.decide(view, "approved");
    const waiting = await ready.agent.reaches(taskId, "authentication_required");
    expect(Object.keys(waiting)).toContain("continuation_ref");
    await ready.person.signInAtShop(String(waiting["continuation_ref"]));
    const next = await ready.agent.reaches(taskId, "approval_required");
    if (next["state"] === "approval_required")
      await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(ready.world.shop.control.counters().orders - before).toBe(1);
  });

  it("AUT-4 the operator's socket and the data directory are for their owner alone", () => {
    expect(statSync(ready.world.dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(ready.world.dataDir, "gateway.sock")).mode & 0o777).toBe(0o600);
    if (ready.world.gateway.core.store.kind === "sqlite")
      expect(statSync(join(ready.world.dataDir, "gateway.db")).mode & 0o077).toBe(0);
  });
});
