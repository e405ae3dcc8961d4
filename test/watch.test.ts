import { randomUUID } from "node:crypto";
import type { Route } from "@countersign/plugin";
import { OPERATIONS, type Operation } from "@countersign/profile";
import { createHttpRoute } from "@countersign/route-http";
import { assert, formatInstant, instant, type JsonObject } from "@countersign/wire";
import { afterEach, describe, expect, it } from "vitest";
import {
  CONTINUATION_LIFE_MS,
  WATCH_ASK_AGAIN_MS,
  WATCH_DAYS_MAX,
  WATCHES_OF_AGENT_MAX,
} from "../packages/gateway/src/limits.ts";
import { Agent } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { openReceiver } from "./support/webhook.ts";
import { inStore, readyWorld, type WorldOptions } from "./support/world.ts";

// A durable watch, by the practice shop's API. Its pace is a minute here, so that the shop's own token outlasts the test.

const MINUTE_MS = 60_000;
/** Past the pace and whatever it is spread by. */
const A_LOOK_MS = 76_000;
const WATCH = "retail.deal.watch";
const PRICE_MINOR = 4_490;
const ASKED_MINOR = 4_000;

const catalogue: readonly Operation[] = OPERATIONS.map((operation) =>
  operation.effect === "read" && operation.repeats !== undefined
    ? { ...operation, repeats: { ...operation.repeats, everyMsMin: MINUTE_MS } }
    : operation,
);

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
/** What stands at the door of the shop: `down`, or somebody who is told of each look before it. */
let site: { isDown: boolean; opens: number; beforeLook: () => Promise<void> };
const open: { close(): Promise<void> }[] = [];

async function begin(options: WorldOptions = {}): Promise<void> {
  site = { isDown: false, opens: 0, beforeLook: async () => {} };
  const http = createHttpRoute();
  const route: Route = {
    ...http,
    async open(...given) {
      site.opens += 1;
      await site.beforeLook();
      return site.isDown ? { ok: false, reason: "site_unavailable" } : http.open(...given);
    },
  };
  ready = await readyWorld({ catalogue, routes: () => [route], ...options });
  open.push(ready.world);
  const consentRef = await ready.agent.askGrant({ destination: "practice-shop", operations: [WATCH] });
  await ready.person.grant(consentRef, ready.accountRef);
  ready = { ...ready, consentRef };
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const ahead = (ms: number) => formatInstant(instant(Date.now() + ready.world.offset() + ms));

function post(change: JsonObject = {}, parameters: JsonObject = {}, agent = ready.agent) {
  return agent.post("/v1/tasks", {
    profile: "sophtron.agentic-web-execution/0.1",
    request_id: `req_${randomUUID()}`,
    idempotency_key: `key_${randomUUID()}`,
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    operation: WATCH,
    parameters: {
      item_ref: "TL-200",
      at_most_minor: ASKED_MINOR,
      currency: "EUR",
      watch_ends_at: ahead(30 * MINUTE_MS),
      ...parameters,
    },
    expires_at: ahead(60 * MINUTE_MS),
    ...change,
  });
}

async function watch(change: JsonObject = {}, parameters: JsonObject = {}): Promise<string> {
  const taken = await post(change, parameters);
  assert(taken.status === 201, `the watch is taken: ${taken.text}`);
  return String(taken.json["task_id"]);
}

const row = (taskId: string) =>
  inStore(ready.world.gateway, (db) =>
    db.selectFrom("task").selectAll().where("task_id", "=", taskId).executeTakeFirstOrThrow(),
  );
type Row = Awaited<ReturnType<typeof row>>;
const when = (taskId: string, fits: (now: Row) => boolean, what: string) => until(() => row(taskId), fits, what);
const looked = (taskId: string, times: number) =>
  when(taskId, (now) => now.watch_looks === times && now.lease_owner === null, `${times} looks of ${taskId}`);
const ended = (taskId: string, state: string) => when(taskId, (now) => now.state === state, `${taskId} ${state}`);
const events = (taskId: string) =>
  inStore(ready.world.gateway, (db) =>
    db
      .selectFrom("task_event")
      .select(["state", "step", "reason"])
      .where("task_id", "=", taskId)
      .orderBy("seq")
      .execute(),
  );
const shopAsked = () =>
  ready.world.shop.control.requests().filter(({ path }) => path.includes("/products/TL-200")).length;
async function result(taskId: string): Promise<JsonObject> {
  ready.agent.token = await ready.agent.tokenFor(`${ready.world.issuer}/v1`);
  const answer = await ready.agent.get(`/v1/tasks/${taskId}/result`);
  assert(answer.status === 200, `there is a result: ${answer.text}`);
  return answer.json["result"] as JsonObject;
}
const cheaper = () => ready.world.shop.control.price("TL-200", ASKED_MINOR - PRICE_MINOR);

describe("a watch", () => {
  it("STA-1 looks, rests as executing, looks again by itself, and reports once when it is met", async () => {
    const hooks = await openReceiver();
    open.push(hooks);
    await begin({ taskWebhooks: "loopback_too" });
    await ready.agent.post("/v1/webhooks", { url: hooks.url });
    const taskId = await watch();
    const rests = await looked(taskId, 1);
    expect(rests).toMatchObject({ state: "executing", lease_owner: null, due_at: rests.watch_look_at });
    const view = (await ready.agent.task(taskId)).json;
    expect(view).toMatchObject({ state: "executing", watch: { looks: 1, ends_at: expect.any(String) } });
    expect(view["next_step"]).toContain("looked at again by itself");
    expect(view["result_ref"]).toBeUndefined();
    ready.world.advance(A_LOOK_MS);
    await looked(taskId, 2);
    cheaper();
    ready.world.advance(A_LOOK_MS);
    await ended(taskId, "succeeded");
    expect(await result(taskId)).toMatchObject({ met: true, price_minor: ASKED_MINOR });
    const told = await events(taskId);
    expect(told.filter(({ step }) => step === null).map(({ state }) => state)).toEqual([
      "received",
      "validating",
      "executing",
      "succeeded",
    ]);
    // The second look has nothing to tell.
    expect(told.filter(({ step }) => step === "looked")).toHaveLength(1);
    await until(
      async () => hooks.delivered.map(({ body }) => JSON.parse(body)["data"]["state"]),
      (states) => states.filter((state) => state === "succeeded").length === 1,
      "the end to be told",
    );
    // It reports and never buys; and it is over.
    ready.world.advance(A_LOOK_MS);
    expect(ready.world.shop.control.counters()).toMatchObject({ submits: 0, orders: 0 });
    expect(await row(taskId)).toMatchObject({ due_at: null, watch_seen: null, watch_look_at: null });
    expect(shopAsked()).toBe(3);
  });

  it("met at the first look is an ordinary read", async () => {
    await begin();
    const taskId = await watch({}, { at_most_minor: PRICE_MINOR });
    await ended(taskId, "succeeded");
    expect(await row(taskId)).toMatchObject({ watch_looks: 0, watch_seen: null });
  });

  it("no look comes before the pace, whatever makes the task due", async () => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    await inStore(ready.world.gateway, (db) => db.updateTable("task").set({ due_at: 0 }).execute());
    ready.world.gateway.core.poke();
    await when(taskId, (now) => now.due_at === now.watch_look_at && now.lease_owner === null, "to be put back");
    expect([site.opens, shopAsked()]).toEqual([1, 1]);
  });

  it("ends at its time with what was seen last, and not with an error", async () => {
    await begin();
    const taskId = await watch({}, { watch_ends_at: ahead(3 * MINUTE_MS) });
    await looked(taskId, 1);
    ready.world.advance(A_LOOK_MS);
    const last = await looked(taskId, 2);
    ready.world.advance(A_LOOK_MS);
    await when(taskId, (now) => now.state === "succeeded" || now.watch_looks === 3, "a last look or the end");
    ready.world.advance(MINUTE_MS);
    await ended(taskId, "succeeded");
    const seen = await result(taskId);
    expect(seen).toMatchObject({ met: false, price_minor: PRICE_MINOR });
    expect(Date.parse(String(seen["looked_at"]))).toBeGreaterThanOrEqual(Number(last.watch_looked_at) - MINUTE_MS);
  });

  it("survives a restart in the middle", async () => {
    await begin();
    const taskId = await watch();
    const before = await looked(taskId, 1);
    await ready.world.restart();
    expect(await row(taskId)).toMatchObject({ state: "executing", due_at: before.watch_look_at });
    cheaper();
    ready.world.advance(A_LOOK_MS);
    await ended(taskId, "succeeded");
    expect(await result(taskId)).toMatchObject({ met: true });
  });

  it("after an outage of the gateway the late look is spread again, and then made", async () => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    await ready.world.restart(async () => ready.world.advance(5 * MINUTE_MS));
    const now = Date.now() + ready.world.offset();
    const late = await when(taskId, (task) => Number(task.watch_look_at) > now - MINUTE_MS, "to be spread again");
    expect(Number(late.watch_look_at)).toBeLessThan(now + MINUTE_MS);
    ready.world.advance(A_LOOK_MS - MINUTE_MS);
    await looked(taskId, 2);
    expect(site.opens).toBe(2);
  });

  it("CON-1 a grant that is revoked between two looks ends it at once, and nothing more is asked", async () => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    cheaper();
    await ready.person.post(`/consents/${ready.consentRef}/revoke`);
    expect(await ended(taskId, "denied")).toMatchObject({ reason: "grant_revoked", watch_seen: null, due_at: null });
    ready.world.advance(A_LOOK_MS);
    expect([site.opens, shopAsked()]).toEqual([1, 1]);
  });

  it("CON-1 a grant that is revoked while it looks gives no result, though the price is met", async () => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    cheaper();
    site.beforeLook = async () => {
      await ready.person.post(`/consents/${ready.consentRef}/revoke`);
    };
    ready.world.advance(A_LOOK_MS);
    expect(await ended(taskId, "denied")).toMatchObject({ reason: "grant_revoked", result: null });
  });

  it("a grant that runs out before the next look ends it as that", async () => {
    await begin();
    const consentRef = await ready.agent.askGrant({
      destination: "practice-shop",
      operations: [WATCH],
      expires_at: ahead(MINUTE_MS + 1_000),
    });
    await ready.person.grant(consentRef, ready.accountRef);
    const taskId = await watch({ consent_ref: consentRef });
    await looked(taskId, 1);
    ready.world.advance(A_LOOK_MS);
    expect(await ended(taskId, "denied")).toMatchObject({ reason: "grant_expired" });
    expect(site.opens).toBe(1);
  });

  it("is not looked at outside the hours of its grant, and goes on after them", async () => {
    await begin();
    const now = new Date(Date.now() + ready.world.offset());
    const clock = (ms: number) => new Date(now.getTime() + ms).toISOString().slice(11, 16);
    const consentRef = await ready.agent.askGrant({ destination: "practice-shop", operations: [WATCH] });
    const limits = { hours: { zone: "UTC", from: clock(0), to: clock(2 * MINUTE_MS) } };
    await ready.person.grant(consentRef, ready.accountRef, { limits });
    const taskId = await watch({ consent_ref: consentRef });
    await looked(taskId, 1);
    ready.world.advance(3 * MINUTE_MS);
    await when(taskId, (task) => Number(task.due_at) > Number(task.watch_look_at), "to be put off");
    expect(site.opens).toBe(1);
    expect(await row(taskId)).toMatchObject({ state: "executing" });
  });

  it("MFA-4 a sign-in that has ended is asked for, and the watch goes on after it", async () => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    ready.world.shop.control.endSession();
    ready.world.advance(A_LOOK_MS);
    const waiting = await ended(taskId, "authentication_required");
    expect(waiting.continuation_ref).not.toBeNull();
    await ready.person.signInAtShop(String(waiting.continuation_ref));
    await looked(taskId, 2);
    cheaper();
    ready.world.advance(A_LOOK_MS);
    await ended(taskId, "succeeded");
    expect(await result(taskId)).toMatchObject({ met: true });
  });

  describe("whose hand-off nobody took", () => {
    /** A watch of days that waits for a sign-in, with its hand-off run out. */
    async function lapsed() {
      await begin();
      const until = ahead(4 * WATCH_ASK_AGAIN_MS);
      const asked = { destination: "practice-shop", operations: [WATCH], expires_at: until };
      const consentRef = await ready.agent.askGrant(asked);
      await ready.person.grant(consentRef, ready.accountRef);
      const ends = { watch_ends_at: ahead(3 * WATCH_ASK_AGAIN_MS) };
      const taskId = await watch({ consent_ref: consentRef, expires_at: until }, ends);
      await looked(taskId, 1);
      ready.world.shop.control.endSession();
      ready.world.advance(A_LOOK_MS);
      const first = await ended(taskId, "authentication_required");
      ready.world.advance(CONTINUATION_LIFE_MS + 1_000);
      const now = await when(taskId, ({ continuation_ref: ref }) => ref === null, "the hand-off to lapse");
      expect(now).toMatchObject({ state: "authentication_required", due_at: now.watch_look_at });
      return { taskId, first, now };
    }

    it("MFA-3 goes on after any other sign-in of its account", async () => {
      const { taskId } = await lapsed();
      const again = { destination: "practice-shop", route: "http", account_ref: ready.accountRef };
      await ready.person.signInAtShop(
        String((await ready.person.post("/connections", again)).json["continuation_ref"]),
      );
      await looked(taskId, 2);
      expect((await row(taskId)).state).toBe("executing");
    });

    it("MFA-3 asks for one again a day later, by a hand-off of its own", async () => {
      const { taskId, first, now } = await lapsed();
      ready.world.advance(WATCH_ASK_AGAIN_MS + 1_000);
      const second = await when(taskId, ({ continuation_ref: ref }) => ref !== null, "to be asked again");
      expect(second.continuation_ref).not.toBe(first.continuation_ref);
      expect(second.version).toBeGreaterThan(now.version);
    });

    it("has expired when its time has come before anybody signed in", async () => {
      const { taskId } = await lapsed();
      ready.world.advance(3 * WATCH_ASK_AGAIN_MS);
      expect(await ended(taskId, "expired")).toMatchObject({ reason: "sign_in_expired" });
    });
  });

  it("U42 an account that is disconnected between two looks ends it at once", async () => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    await ready.person.post(`/accounts/${ready.accountRef}/disconnect`);
    expect(await ended(taskId, "denied")).toMatchObject({ reason: "account_disconnected" });
    expect(site.opens).toBe(1);
  });

  it("a site that is down is looked at again at the same pace, and that is said once", async () => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    site.isDown = true;
    for (const troubles of [1, 2, 3, 4]) {
      ready.world.advance(A_LOOK_MS);
      await when(taskId, (now) => now.watch_troubles === troubles && now.lease_owner === null, `${troubles} troubles`);
      expect(site.opens).toBe(1 + troubles);
    }
    expect((await events(taskId)).filter(({ step }) => step === "unanswered")).toHaveLength(1);
    ready.agent.token = await ready.agent.tokenFor(`${ready.world.issuer}/v1`);
    expect((await ready.agent.task(taskId)).json["watch"]).toMatchObject({ looks: 1, unanswered: 4 });
    site.isDown = false;
    cheaper();
    ready.world.advance(A_LOOK_MS);
    await ended(taskId, "succeeded");
  });

  it("a site that never answered until the end is a failure, said as that", async () => {
    await begin();
    site.isDown = true;
    const taskId = await watch({}, { watch_ends_at: ahead(2 * MINUTE_MS) });
    await when(taskId, (now) => now.watch_troubles === 1, "a first trouble");
    ready.world.advance(A_LOOK_MS);
    await when(taskId, (now) => now.watch_troubles === 2 || now.state === "failed", "a second");
    ready.world.advance(A_LOOK_MS);
    expect(await ended(taskId, "failed")).toMatchObject({ reason: "site_unavailable" });
  });

  it.each(["agent", "holder"] as const)("STA-5 the %s can withdraw it between two looks", async (by) => {
    await begin();
    const taskId = await watch();
    await looked(taskId, 1);
    const done =
      by === "agent"
        ? await ready.agent.post(`/v1/tasks/${taskId}/cancel`, {})
        : await ready.person.post(`/tasks/${taskId}/withdraw`);
    expect(done.status).toBe(200);
    expect(await row(taskId)).toMatchObject({ state: "cancelled", reason: `withdrawn_by_${by}`, watch_seen: null });
    ready.world.advance(A_LOOK_MS);
    expect(site.opens).toBe(1);
  });
});

describe("a request for a watch", () => {
  it.each([
    ["an end that has passed", { watch_ends_at: -MINUTE_MS }, "/parameters/watch_ends_at"],
    ["an end too far away", { watch_ends_at: (WATCH_DAYS_MAX + 1) * 24 * 60 * MINUTE_MS }, "/parameters/watch_ends_at"],
    ["an end after the request's own", { watch_ends_at: 90 * MINUTE_MS }, "/expires_at"],
  ])("with %s is refused, and says where", async (_what, { watch_ends_at: endsIn }, pointer) => {
    await begin();
    const refused = await post({}, { watch_ends_at: ahead(endsIn) });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ reason: "invalid_request", problems: [{ pointer }] });
  });

  it("may not outlast a month, or its own end where that is later", async () => {
    await begin();
    const refused = await post(
      { expires_at: ahead(31 * 24 * 60 * MINUTE_MS) },
      { watch_ends_at: ahead(60 * MINUTE_MS) },
    );
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ reason: "invalid_request", problems: [{ pointer: "/expires_at" }] });
    const far = ahead(60 * 24 * 60 * MINUTE_MS);
    expect((await post({ expires_at: far }, { watch_ends_at: far })).status).toBe(201);
  });

  it("is refused by name when as many are open as there may be, and taken again when one has ended", async () => {
    await begin();
    const taskIds: string[] = [];
    for (let i = 0; i < WATCHES_OF_AGENT_MAX; i += 1) taskIds.push(await watch());
    expect((await post()).json).toMatchObject({ reason: "too_many_watches", status: 429 });
    // Another agent of the person's has its own count.
    const other = await Agent.join(ready.world, ready.person, "Other agent");
    expect((await post({}, {}, other)).json["reason"]).not.toBe("too_many_watches");
    await ready.agent.post(`/v1/tasks/${taskIds[0]}/cancel`, {});
    expect((await post()).status).toBe(201);
  });
});
