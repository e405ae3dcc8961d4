import { randomUUID } from "node:crypto";
import { createEgress, type Egress, type Guard } from "@countersign/gateway";
import type { JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Agent, orderRequest } from "./support/agent.ts";
import { send, until } from "./support/http.ts";
import { readyWorld } from "./support/world.ts";

const MINUTE = 60_000;
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

const OPERATIONS = ["retail.orders.list", "retail.order.submit", "subscription.cancel"];
const eur = (minor: number) => ({ max_total_minor: minor, currency: "EUR" });
const counters = () => ready.world.shop.control.counters();

/** Another grant for the same account and agent, with limits of its own. */
async function grantWith(limits: JsonObject): Promise<string> {
  const { agent, person, accountRef } = ready;
  const consentRef = await agent.askGrant({ account_ref: accountRef, operations: OPERATIONS });
  const granted = await person.grant(consentRef, accountRef, { limits });
  expect(granted.status, granted.text).toBe(200);
  return consentRef;
}

async function submit(consentRef: string, parameters: JsonObject = {}, agent = ready.agent): Promise<string> {
  const reply = await agent.post("/v1/tasks", orderRequest({ ...ready, consentRef }, { parameters }));
  expect(reply.status, reply.text).toBe(201);
  return String(reply.json["task_id"]);
}

async function pending(consentRef: string, parameters: JsonObject = {}): Promise<string> {
  const taskId = await submit(consentRef, parameters);
  expect(await ready.agent.reaches(taskId, "approval_required")).toMatchObject({ state: "approval_required" });
  return taskId;
}

async function approve(taskId: string): Promise<void> {
  const decided = await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
  expect(decided.status, decided.text).toBe(200);
}

async function bought(consentRef: string, parameters: JsonObject = {}): Promise<JsonObject> {
  const taskId = await pending(consentRef, parameters);
  await approve(taskId);
  return ready.agent.reaches(taskId);
}

const consent = async (ref: string) => (await ready.person.get(`/consents/${ref}`)).json;
const ofAgent = async (ref: string) => (await ready.agent.get(`/v1/consents/${ref}`)).json;
const inbox = async () => (await ready.person.get("/inbox")).text;

/** `HH:MM` by UTC, some minutes from the gateway's present. */
function clock(minutes: number): string {
  return new Date(Date.now() + ready.world.offset() + minutes * MINUTE).toISOString().slice(11, 16);
}

describe("CON-3 limits at admission, when terms are observed, and at the boundary", () => {
  it("CON-3 an item that is not granted is denied at once", async () => {
    const consentRef = await grantWith({ items: ["WB-750-SAGE", "MS-2"] });
    const taskId = await submit(consentRef);
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "item_not_granted" });
    expect(
      await ready.agent.reaches(await submit(consentRef, { item_ref: "MS-2" }), "approval_required"),
    ).toMatchObject({ state: "approval_required" });
  });

  it("CON-3 a payee that is not granted is denied when the terms show it, and never asked", async () => {
    const consentRef = await grantWith({ payees: ["other.example"] });
    const taskId = await submit(consentRef);
    expect(await ready.agent.reaches(taskId, "approval_required")).toMatchObject({
      state: "denied",
      reason: "payee_not_granted",
    });
    expect(await inbox()).not.toContain('"approval"');
    const view = await ready.person.approvalFor(await pending(ready.consentRef));
    const { payee } = (view["action"] as { terms: { payee: string } }).terms;
    await ready.person.decide(view, "denied");
    expect(await bought(await grantWith({ payees: [payee] }))).toMatchObject({ state: "succeeded" });
  });

  it("CON-3 what is left of a period is told to the agent; a request beyond it is denied and never asked", async () => {
    const consentRef = await grantWith({
      periods: { day: { ...eur(8000), max_actions: 5 }, total: { max_actions: 9 } },
    });
    expect(await bought(consentRef)).toMatchObject({ state: "succeeded" });
    expect(await ofAgent(consentRef)).toMatchObject({
      left: { day: { total_minor: 3010, currency: "EUR", actions: 4 }, total: { actions: 8 } },
    });
    const beyond = await submit(consentRef, { max_total_minor: 3011 });
    expect(await ready.agent.reaches(beyond)).toMatchObject({ state: "denied", reason: "limit_reached" });
    const fits = await submit(consentRef, { item_ref: "MS-2", max_total_minor: 3010 });
    expect(await ready.agent.reaches(fits, "approval_required")).toMatchObject({ state: "approval_required" });
  });

  it("CON-3 two approved tasks and room for one: the boundary lets one pass", async () => {
    const consentRef = await grantWith({ periods: { total: { max_actions: 1 } } });
    const one = await pending(consentRef);
    const other = await pending(consentRef, { item_ref: "MS-2" });
    const views = [await ready.person.approvalFor(one), await ready.person.approvalFor(other)];
    await Promise.all(views.map((view) => ready.person.decide(view, "approved")));
    const ends = [await ready.agent.reaches(one), await ready.agent.reaches(other)];
    expect(ends.map((end) => end["state"]).sort()).toEqual(["denied", "succeeded"]);
    expect(ends.find((end) => end["state"] === "denied")).toMatchObject({ reason: "limit_reached" });
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("CON-3 what the site refused is free again; what may have happened is not", async () => {
    const consentRef = await grantWith({ periods: { month: eur(6000) } });
    ready.world.shop.control.refuse({ times: 1 });
    expect(await bought(consentRef)).toMatchObject({ state: "failed", reason: "site_refused" });
    expect((await ofAgent(consentRef))["left"]).toMatchObject({ month: { total_minor: 6000 } });
    ready.world.shop.control.commitThenDrop({ times: 1 });
    blackout = true;
    const lost = await pending(consentRef);
    await approve(lost);
    expect(await ready.agent.reaches(lost, "outcome_unknown")).toMatchObject({ state: "outcome_unknown" });
    expect((await ofAgent(consentRef))["left"]).toMatchObject({ month: { total_minor: 1010 } });
    const next = await submit(consentRef, { item_ref: "MS-2", max_total_minor: 2900 });
    expect(await ready.agent.reaches(next)).toMatchObject({ state: "denied", reason: "limit_reached" });
  });

  it("CON-3 a charge above what was approved counts as it was charged", async () => {
    const consentRef = await grantWith({ periods: { month: eur(20_000) } });
    ready.world.shop.control.chargeOver(500, { times: 1 });
    expect(await bought(consentRef)).toMatchObject({ state: "succeeded" });
    expect((await ofAgent(consentRef))["left"]).toMatchObject({ month: { total_minor: 20_000 - 5490 } });
  });

  it("CON-3 outside its hours a grant serves neither reads nor commits, approved ones included", async () => {
    const closed = await grantWith({ hours: { zone: "UTC", from: clock(60), to: clock(120) } });
    const read = await ready.agent.post("/v1/tasks", {
      ...orderRequest({ ...ready, consentRef: closed }),
      operation: "retail.orders.list",
      parameters: {},
    });
    expect(await ready.agent.reaches(String(read.json["task_id"]))).toMatchObject({
      state: "denied",
      reason: "outside_hours",
    });
    const open = await grantWith({ hours: { zone: "UTC", from: clock(-5), to: clock(3) } });
    const taskId = await pending(open);
    const view = await ready.person.approvalFor(taskId);
    ready.world.advance(4 * MINUTE);
    await ready.person.decide(view, "approved");
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "denied", reason: "outside_hours" });
    expect(counters()).toMatchObject({ submits: 0 });
  });

  it("CON-3 the record that the person decides says every limit in force", async () => {
    const limits = { periods: { week: { max_actions: 3 } }, items: ["TL-200"] };
    const consentRef = await grantWith(limits);
    const view = await ready.person.approvalFor(await pending(consentRef));
    expect(view["action"]).toMatchObject({ limits: { ...limits, max_total_minor: 6000 } });
  });
});

describe("CON-4 narrowing, revoking, and what a grant was used for", () => {
  const narrow = async (ref: string, change: JsonObject) => {
    const { granted } = (await consent(ref)) as { granted: JsonObject };
    return ready.person.post(`/consents/${ref}/narrow`, { ...granted, ...change });
  };

  it("CON-4 a narrowed grant stops a proposal that no longer fits, and leaves one that does", async () => {
    const consentRef = await grantWith({ periods: { day: eur(20_000) } });
    const dear = await pending(consentRef);
    const cheap = await pending(consentRef, { item_ref: "MS-2" });
    const narrowed = await narrow(consentRef, { limits: { ...eur(4000), periods: { day: eur(20_000) } } });
    expect(narrowed.status, narrowed.text).toBe(200);
    expect(narrowed.json).toMatchObject({ granted: { limits: { max_total_minor: 4000 } } });
    expect(await ready.agent.reaches(dear)).toMatchObject({ state: "denied", reason: "over_limit" });
    await approve(cheap);
    expect(await ready.agent.reaches(cheap)).toMatchObject({ state: "succeeded" });
  });

  it("CON-4 U20 narrowed after the approval and before the commit: denied, nothing submitted", async () => {
    const taskId = await pending(ready.consentRef);
    const view = await ready.person.approvalFor(taskId);
    const narrowed = narrow(ready.consentRef, { operations: ["retail.orders.list"] });
    await Promise.all([narrowed, ready.person.decide(view, "approved")]);
    const end = await ready.agent.reaches(taskId);
    // Whichever of the two came first, what was not granted any more was not done.
    if (end["state"] !== "succeeded") {
      expect(end).toMatchObject({ state: "denied", reason: "operation_not_granted" });
      expect(counters()).toMatchObject({ submits: 0 });
    }
    const after = await submit(ready.consentRef, { item_ref: "MS-2" });
    expect(await ready.agent.reaches(after)).toMatchObject({ state: "denied", reason: "operation_not_granted" });
  });

  it.each<[string, JsonObject, string]>([
    ["a limit taken away", { limits: {} }, "/limits/max_total_minor"],
    ["another operation", { operations: ["retail.order.submit", "bank.transfer"] }, "/operations"],
    ["a later end", { expires_at: "2099-01-01T00:00:00Z" }, "/expires_at"],
    ["an unknown member", { approve_all: true }, "/approve_all"],
  ])("CON-4 %s is no narrowing", async (_name, change, pointer) => {
    const consentRef = await grantWith(eur(5000));
    const before = (await consent(consentRef))["granted"];
    const refused = await narrow(consentRef, change);
    expect(refused.json).toMatchObject({ status: 400, problems: [{ pointer }] });
    expect((await consent(consentRef))["granted"]).toEqual(before);
  });

  it("CON-4 only a live grant of one's own can be narrowed", async () => {
    const asked = await ready.agent.askGrant({ account_ref: ready.accountRef, operations: OPERATIONS });
    const scope = (await consent(asked))["asked"] as JsonObject;
    expect((await ready.person.post(`/consents/${asked}/narrow`, scope)).status).toBe(409);
    expect((await ready.person.post(`/consents/cons_${randomUUID()}/narrow`, scope)).status).toBe(404);
    await ready.person.post(`/consents/${ready.consentRef}/revoke`);
    expect((await narrow(ready.consentRef, {})).status).toBe(409);
  });

  it("CON-4 the person sees counts, sums, the last use and the tasks of each grant", async () => {
    const consentRef = await grantWith({ periods: { total: eur(20_000) } });
    expect((await consent(consentRef))["usage"]).toEqual({
      actions: 0,
      uncertain: 0,
      sums: [],
      left: { total: { total_minor: 20_000, currency: "EUR" } },
      tasks: [],
    });
    const done = await bought(consentRef);
    const seen = await consent(consentRef);
    expect(seen["usage"]).toMatchObject({
      actions: 1,
      uncertain: 0,
      sums: [{ currency: "EUR", total_minor: 4990 }],
      last_used_at: expect.any(String),
      left: { total: { total_minor: 15_010, currency: "EUR" } },
      tasks: [
        {
          task_id: done["task_id"],
          operation_title: "Place an order",
          state: "succeeded",
          amount: { total_minor: 4990, currency: "EUR" },
        },
      ],
    });
    const others = (await consent(ready.consentRef))["usage"];
    expect(others).toMatchObject({ actions: 0, sums: [], tasks: [] });
  });
});

describe("CON-5 after a revocation", () => {
  it("CON-5 an open submission is still read back, and nothing else is done", async () => {
    const waiting = await pending(ready.consentRef, { item_ref: "MS-2" });
    ready.world.shop.control.commitThenDrop({ times: 1 });
    blackout = true;
    const taskId = await pending(ready.consentRef);
    await approve(taskId);
    expect(await ready.agent.reaches(taskId, "outcome_unknown")).toMatchObject({ state: "outcome_unknown" });
    const before = ready.world.shop.control.requests().length;
    const revoked = await ready.person.post(`/consents/${ready.consentRef}/revoke`);
    expect(revoked.json).toMatchObject({ state: "revoked", usage: { actions: 1, uncertain: 1 } });
    expect((await ofAgent(ready.consentRef))["next_step"]).toMatch(/may still read the account/);
    expect(await ready.agent.reaches(waiting)).toMatchObject({ state: "denied", reason: "grant_revoked" });
    const read = await ready.agent.post("/v1/tasks", {
      ...orderRequest(ready),
      operation: "retail.orders.list",
      parameters: {},
    });
    expect(await ready.agent.reaches(String(read.json["task_id"]))).toMatchObject({ reason: "grant_revoked" });
    ready.world.shop.control.readBack("up");
    ready.world.advance(10 * MINUTE);
    const found = await until(
      () => ready.person.get(`/tasks/${taskId}`),
      (reply) => reply.json["state"] === "succeeded",
      "the submission to be read back",
    );
    expect(found.json).toMatchObject({ state: "succeeded" });
    const since = ready.world.shop.control.requests().slice(before);
    expect(since.length).toBeGreaterThan(0);
    expect([...new Set(since.map((r) => `${r.method} ${r.path}`))]).toEqual(["GET /api/v1/orders"]);
    expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    expect((await consent(ready.consentRef))["usage"]).toMatchObject({ actions: 1, uncertain: 0 });
  });

  it("CON-1 U20 U42 revoked within milliseconds of the approval: denied, or already submitted, never later", async () => {
    const taskId = await pending(ready.consentRef);
    const view = await ready.person.approvalFor(taskId);
    await Promise.all([
      ready.person.decide(view, "approved"),
      ready.person.post(`/consents/${ready.consentRef}/revoke`),
    ]);
    const end = await ready.agent.reaches(taskId);
    expect(counters().submits).toBe(end["state"] === "succeeded" ? 1 : 0);
    if (end["state"] !== "succeeded") expect(end).toMatchObject({ state: "denied", reason: "grant_revoked" });
    const after = await submit(ready.consentRef, { item_ref: "MS-2" });
    expect(await ready.agent.reaches(after)).toMatchObject({ state: "denied", reason: "grant_revoked" });
  });
});

describe("AUT-1 AUT-2 whose grant it is", () => {
  it("AUT-1 CON-1 a grant of one account never serves another of the same person", async () => {
    const second = await ready.person.connectShop("http");
    const foreign = await ready.agent.post("/v1/tasks", {
      ...orderRequest({ ...ready, accountRef: second }),
      operation: "retail.orders.list",
      parameters: {},
    });
    expect(await ready.agent.reaches(String(foreign.json["task_id"]))).toMatchObject({
      state: "denied",
      reason: "grant_not_active",
    });
  });

  it("AUT-1 CON-2 another agent cannot use, read or count a grant that is not its own", async () => {
    const other = await Agent.join(ready.world, ready.person, "Other agent");
    const used = await other.post("/v1/tasks", orderRequest(ready));
    expect(used.json).toMatchObject({ status: 404, reason: "not_found" });
    const unknown = await other.get(`/v1/consents/cons_${randomUUID()}`);
    const read = await other.get(`/v1/consents/${ready.consentRef}`);
    expect([read.status, read.text]).toEqual([404, unknown.text]);
  });

  it("AUT-2 an agent asks for a grant; nothing of its credential decides, narrows or revokes one", async () => {
    const asked = await ready.agent.askGrant({ account_ref: ready.accountRef, operations: OPERATIONS });
    const scope = (await consent(asked))["asked"] as JsonObject;
    const bodies: readonly (readonly [string, JsonObject])[] = [
      [`/consents/${asked}/decision`, { decision: "grant", account_ref: ready.accountRef, ...scope }],
      [`/consents/${ready.consentRef}/narrow`, scope],
      [`/consents/${ready.consentRef}/revoke`, {}],
    ];
    for (const [path, body] of bodies) {
      const headers = {
        authorization: `Bearer ${ready.agent.token}`,
        "content-type": "application/json",
        "x-countersign": "1",
        origin: ready.world.issuer,
        "sec-fetch-site": "same-origin",
      };
      const refused = await send(ready.world.issuer, "POST", `/trusted/v1${path}`, {
        headers,
        body: JSON.stringify(body),
      });
      expect([401, 403], path).toContain(refused.status);
    }
    expect([(await consent(asked))["state"], (await consent(ready.consentRef))["state"]]).toEqual([
      "requested",
      "granted",
    ]);
  });

  it("AUT-1 a connected account is no grant, and a grant is no approval", async () => {
    const taskId = await pending(ready.consentRef);
    expect(counters()).toMatchObject({ submits: 0 });
    const other = await Agent.join(ready.world, ready.person, "Without a grant");
    expect((await other.get("/v1/accounts")).json).toEqual({ accounts: [] });
    expect((await ready.agent.task(taskId)).json).toMatchObject({ state: "approval_required" });
  });
});
