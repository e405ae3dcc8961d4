import { assert, type JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TASK_WEBHOOK_TRIES_MAX, TASK_WEBHOOKS_MAX } from "../packages/gateway/src/limits.ts";
import { Agent, orderRequest } from "./support/agent.ts";
import { send, until } from "./support/http.ts";
import { type Delivered, openReceiver, type Receiver, verifies } from "./support/webhook.ts";
import { inStore, readyWorld, type WorldOptions } from "./support/world.ts";

const HOUR = 3_600_000;
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let hooks: Receiver;
const open: { close(): Promise<void> }[] = [];

async function begin(options: WorldOptions = { taskWebhooks: "loopback_too" }): Promise<void> {
  hooks = await openReceiver();
  ready = await readyWorld(options);
  open.push(ready.world, hooks);
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function register(url = hooks.url, agent = ready.agent): Promise<{ id: string; secret: string }> {
  const made = await agent.post("/v1/webhooks", { url });
  assert(made.status === 201, `a receiver is taken: ${made.text}`);
  return { id: String(made.json["webhook_id"]), secret: String(made.json["secret"]) };
}
const remove = (id: string, agent: Agent = ready.agent) =>
  send(ready.world.issuer, "DELETE", `/v1/webhooks/${id}`, { headers: { authorization: `Bearer ${agent.token}` } });
const deliveries = () =>
  inStore(ready.world.gateway, (db) => db.selectFrom("task_webhook_delivery").selectAll().execute());
const settled = () =>
  until(deliveries, (rows) => rows.length > 0 && rows.every((row) => row.state !== "waiting"), "all to be settled");
async function order(): Promise<string> {
  const taskId = String((await ready.agent.post("/v1/tasks", orderRequest(ready))).json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}
async function purchase(): Promise<JsonObject> {
  const taskId = await order();
  await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
  return ready.agent.reaches(taskId, "succeeded");
}
const bodyOf = (got: Delivered | undefined) => JSON.parse(got?.body ?? "{}") as JsonObject & { data: JsonObject };
const nowSeconds = () => Math.floor((Date.now() + ready.world.offset()) / 1000);

describe("an agent's receiver", () => {
  beforeEach(() => begin());

  it("hears of each move of the agent's own task: the reference, the state, the revision, and nothing else", async () => {
    const { secret } = await register();
    const task = await purchase();
    await settled();
    const heard = hooks.delivered.map((got) => bodyOf(got));
    for (const [i, body] of heard.entries()) {
      expect(Object.keys(body).toSorted()).toEqual(["data", "timestamp", "type"]);
      expect(Object.keys(body.data).toSorted()).toEqual(["revision", "state", "task_id"]);
      expect(body).toMatchObject({ type: "task.changed", data: { task_id: task["task_id"] } });
      expect(verifies(secret, hooks.delivered[i] as Delivered, nowSeconds())).toBe(true);
    }
    const states = heard.toSorted((a, b) => Number(a.data["revision"]) - Number(b.data["revision"])).map((b) => b.data);
    expect(states.map((data) => data["state"])).toEqual(
      ["validating", "approval_required", "executing", "executing", "succeeded"].filter(
        (_, i, all) => states.length === all.length || i !== 3,
      ),
    );
    expect(states.at(-1)?.["revision"]).toBe(task["revision"]);
    const ids = hooks.delivered.map((got) => got.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => !id.includes("."))).toBe(true);
    expect(ready.world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("is told its secret once; the same address again gets a new one, and both sign for a day", async () => {
    const first = await register();
    const listed = await ready.agent.get("/v1/webhooks");
    expect(listed.json).toMatchObject({ webhooks: [{ webhook_id: first.id, url: hooks.url, state: "active" }] });
    expect(listed.text).not.toContain("whsec_");
    const second = await register();
    expect(second.id).toBe(first.id);
    expect(second.secret).not.toBe(first.secret);
    await order();
    await settled();
    for (const got of hooks.delivered) {
      expect(got.signature.split(" ")).toHaveLength(2);
      for (const { secret } of [first, second]) expect(verifies(secret, got, nowSeconds())).toBe(true);
    }
    const heard = hooks.delivered.length;
    ready.world.advance(25 * HOUR);
    // Its approval has run out meanwhile, which is a move too.
    await until(
      async () => hooks.delivered.length,
      (n) => n > heard,
      "a later message",
    );
    const later = hooks.delivered.at(-1) as Delivered;
    expect(verifies(second.secret, later, nowSeconds())).toBe(true);
    expect(verifies(first.secret, later, nowSeconds())).toBe(false);
  });

  it("REQ-2 is the agent's own: another agent of the same person neither sees nor ends it, and hears nothing", async () => {
    const { id } = await register();
    const other = await Agent.join(ready.world, ready.person, "Another agent");
    expect((await other.get("/v1/webhooks")).json).toEqual({ webhooks: [] });
    expect((await remove(id, other)).text).toBe((await remove("whk_unknown", other)).text);
    const elsewhere = await openReceiver();
    open.push(elsewhere);
    await register(elsewhere.url, other);
    // The person sees where each agent hears of its tasks: the origin, since a path may hold a secret of its owner's.
    const { agents } = (await ready.person.get("/agents")).json as { readonly agents: readonly JsonObject[] };
    expect(new Map(agents.map((one) => [one["client_id"], one["receivers"]]))).toEqual(
      new Map([
        [ready.agent.clientId, [{ origin: hooks.origin, state: "active" }]],
        [other.clientId, [{ origin: elsewhere.origin, state: "active" }]],
      ]),
    );
    await order();
    await settled();
    expect(hooks.delivered.length).toBeGreaterThan(0);
    expect(elsewhere.delivered).toEqual([]);
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
    expect(await deliveries()).toEqual([]);
  });

  it("comes in a bounded number", async () => {
    for (let i = 0; i < TASK_WEBHOOKS_MAX; i += 1) await register(`${hooks.origin}/${i}`);
    expect((await ready.agent.post("/v1/webhooks", { url: `${hooks.origin}/more` })).status).toBe(429);
    expect((await ready.agent.post("/v1/webhooks", { url: `${hooks.origin}/0` })).status).toBe(201);
  });

  it("U53 that fails is tried again under the same id with a new time, and the task goes on as if nothing were", async () => {
    const { secret } = await register();
    hooks.answer = { status: 500 };
    const task = await purchase();
    expect(task["state"]).toBe("succeeded");
    await until(
      async () => hooks.delivered.length,
      (n) => n >= 1,
      "a first try",
    );
    const first = hooks.delivered[0] as Delivered;
    hooks.answer = { status: 204 };
    ready.world.advance(10_000);
    await settled();
    const again = hooks.delivered.filter((got) => got.id === first.id);
    expect(again.length).toBeGreaterThanOrEqual(2);
    expect(again.every((got) => got.body === first.body)).toBe(true);
    expect(Number(again.at(-1)?.timestamp)).toBeGreaterThan(Number(first.timestamp));
    expect(verifies(secret, again.at(-1) as Delivered, nowSeconds())).toBe(true);
    expect((await deliveries()).every((row) => row.state === "sent")).toBe(true);
    expect((await ready.agent.get("/v1/webhooks")).json).toMatchObject({ webhooks: [{ failures: 0 }] });
    expect(ready.world.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  it("that fails for a day is given up, message by message, and can be seen to fail", async () => {
    await register();
    hooks.answer = { status: 503 };
    await order();
    for (let step = 0; step < 60; step += 1) {
      // A try is over once what came of it is written down; a clock that moves earlier moves the next try too.
      const rows = await until(deliveries, (all) => all.every((row) => row.lease_owner === null), "the tries to end");
      if (rows.every((row) => row.state === "gave_up")) break;
      const before = hooks.delivered.length;
      ready.world.advance(HOUR / 2);
      await until(
        async () => [hooks.delivered.length, (await deliveries()).filter((r) => r.state === "waiting").length] as const,
        ([n, waiting]) => n > before || waiting === 0,
        "another try",
      );
    }
    const rows = await deliveries();
    expect(rows.every((row) => row.state === "gave_up" && row.tries <= TASK_WEBHOOK_TRIES_MAX)).toBe(true);
    const [hook] = await inStore(ready.world.gateway, (db) => db.selectFrom("task_webhook").selectAll().execute());
    expect(hook).toMatchObject({ state: "active" });
    expect(hook?.failures).toBeGreaterThan(TASK_WEBHOOK_TRIES_MAX);
  });

  it("that hangs holds up no other one", async () => {
    await register();
    let letGo: (() => void) | undefined;
    hooks.onDelivered = () =>
      new Promise((resolve) => {
        letGo = resolve;
      });
    const other = await openReceiver();
    open.push(other);
    await register(other.url);
    const taskId = await order();
    await until(
      async () => other.delivered.map((got) => bodyOf(got).data["state"]),
      (states) => states.includes("approval_required"),
      "the other receiver to hear all of it",
    );
    expect(hooks.delivered).toHaveLength(1);
    expect(bodyOf(hooks.delivered[0]).data["task_id"]).toBe(taskId);
    letGo?.();
    hooks.onDelivered = undefined;
  });

  it("that says it is gone for good hears no more until it is named again", async () => {
    await register();
    hooks.answer = { status: 410 };
    const taskId = await order();
    await settled();
    expect(hooks.delivered).toHaveLength(1);
    expect((await ready.agent.get("/v1/webhooks")).json).toMatchObject({ webhooks: [{ state: "gone" }] });
    await register();
    hooks.answer = { status: 204 };
    await ready.agent.post(`/v1/tasks/${taskId}/cancel`, {});
    await until(
      async () => hooks.delivered.length,
      (n) => n === 2,
      "the next move",
    );
    expect(bodyOf(hooks.delivered[1]).data).toMatchObject({ task_id: taskId, state: "cancelled" });
  });

  it("U51 is sent nowhere by a redirect", async () => {
    const sentinel = await openReceiver();
    open.push(sentinel);
    await register();
    hooks.answer = { status: 307, headers: { location: sentinel.url } };
    await order();
    await until(
      async () => hooks.delivered.length,
      (n) => n > 0,
      "a try",
    );
    expect((await deliveries()).some((row) => row.state === "sent")).toBe(false);
    expect(sentinel.delivered).toEqual([]);
  });

  it("a revoked agent's hears nothing more, not even of what ends by the revocation", async () => {
    await register();
    await order();
    await settled();
    const heard = hooks.delivered.length;
    await ready.person.post(`/agents/${ready.agent.clientId}/revoke`);
    await until(deliveries, (rows) => rows.some((row) => row.state === "dropped"), "what is dropped");
    await settled();
    expect(hooks.delivered).toHaveLength(heard);
  });

  it("U52 neither its address nor its secret stands in a log line or a row", async () => {
    hooks.answer = { status: 500 };
    const url = `${hooks.origin}/hooks/canary-path?key=canary-query`;
    const { secret } = await register(url);
    await order();
    await until(
      async () => hooks.delivered.length,
      (n) => n > 0,
      "a try",
    );
    const rows = await inStore(ready.world.gateway, (db) => db.selectFrom("task_webhook").selectAll().execute());
    const kept = rows.map((row) =>
      Object.values(row).map((v) => (v instanceof Uint8Array ? Buffer.from(v) : String(v))),
    );
    for (const text of [ready.world.logLines.join("\n"), kept.flat().map(String).join("\n")]) {
      expect(text).not.toContain("canary-");
      expect(text).not.toContain(secret.slice("whsec_".length, "whsec_".length + 6));
    }
  });
});

describe("where a receiver may stand", () => {
  it("U51 is judged before it is kept, and each refusal names its rule", async () => {
    await begin({ taskWebhooks: "https" });
    for (const [url, rule] of [
      ["http://hooks.example/x", "must be https"],
      ["ftp://hooks.example/x", "an https address without a user"],
      ["https://user@hooks.example/x", "an https address without a user"],
      ["https://hooks.example/x#y", "no fragment"],
      ["https://127.0.0.1/x", "must be a public address"],
      ["https://0x7f.1/x", "must be a public address"],
      ["https://169.254.169.254/latest", "must be a public address"],
      ["https://[::1]/x", "must be a public address"],
      ["https://[::ffff:10.0.0.1]/x", "must be a public address"],
      ["https://localhost/x", "must be a public address"],
    ]) {
      const refused = await ready.agent.post("/v1/webhooks", { url });
      expect(refused.json, url).toMatchObject({ reason: "invalid_request", problems: [{ pointer: "/url", rule }] });
    }
  });

  it("U51 a name that leads into the gateway's own network is refused at the delivery, and nothing arrives", async () => {
    let places: "loopback_too" | "https" = "loopback_too";
    await begin({
      get taskWebhooks() {
        return places;
      },
    });
    await register();
    // The operator has taken back that this machine is allowed.
    places = "https";
    await ready.world.restart();
    await order();
    const rows = await until(deliveries, (all) => all.some((row) => row.problem !== null), "a try");
    expect(rows.find((row) => row.problem !== null)).toMatchObject({ state: "waiting", problem: "unreachable" });
    expect(hooks.delivered).toEqual([]);
  });

  it("nowhere, where the operator says so", async () => {
    await begin({ taskWebhooks: "off" });
    expect((await ready.agent.post("/v1/webhooks", { url: "https://hooks.example/x" })).status).toBe(404);
  });
});

describe("a gateway that dies", () => {
  it("between sending and writing so has sent one second copy, under the same id", async () => {
    let hold: (() => void) | undefined;
    let held = false;
    await begin({
      taskWebhooks: "loopback_too",
      reach: (point) => {
        if (point !== "task_event.after_send" || held) return;
        held = true;
        return new Promise<void>((resolve) => {
          hold = resolve;
        });
      },
    });
    await register();
    await order();
    await until(
      async () => hooks.delivered.length,
      (n) => n > 0,
      "the first copy",
    );
    const first = hooks.delivered[0] as Delivered;
    // The process that sent it says no more; its lease runs out.
    ready.world.advance(3 * 60_000);
    await until(
      async () => hooks.delivered.filter((got) => got.id === first.id).length,
      (n) => n === 2,
      "the second copy",
    );
    hold?.();
    await settled();
    expect(hooks.delivered.filter((got) => got.id === first.id)).toHaveLength(2);
  });
});
