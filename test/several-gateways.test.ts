import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LEASE_MS } from "../packages/gateway/src/limits.ts";
import { Agent, orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { Person } from "./support/person.ts";
import { type Member, openSeveral, type Several } from "./support/several.ts";

// Several gateways in processes of their own share one PostgreSQL database (engine, scale-out).

const PAST_A_LOOK_MS = 80 * 60_000;
const PAST_THE_LEASE = { aheadMs: LEASE_MS + 5_000 } as const;
let several: Several;
beforeEach(async () => {
  several = await openSeveral();
});
afterEach(() => several.close());

async function setUp(first: Member) {
  const where = { issuer: several.issuer, dataDir: first.dataDir, shop: several.shop };
  const person = await Person.withLink(where, String(first.ready["link"]));
  const agent = await Agent.join(where, person);
  const accountRef = await person.connectShop("http");
  const operations = ["retail.orders.list", "retail.order.submit"];
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations });
  await person.grant(consentRef, accountRef);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref ?? "";
  return { person, agent, accountRef, consentRef, fulfillmentRef };
}

async function order({ agent, ...refs }: Awaited<ReturnType<typeof setUp>>): Promise<string> {
  const submitted = await agent.post("/v1/tasks", orderRequest(refs));
  expect([201, submitted.text]).toEqual([submitted.status, submitted.text]);
  return String(submitted.json["task_id"]);
}

const stopped = (member: Member) =>
  until(
    () => readFile(`/proc/${member.process.pid}/stat`, "utf8"),
    (stat) => stat.slice(stat.lastIndexOf(")") + 2).startsWith("T"),
    "the gateway to stand still",
  );
const rows = async (taskId: string) =>
  (await several.database.query("select state, fence, lease_owner from task where task_id = $1", [taskId]))[0] ?? {};

it("whoever is asked, it is one gateway: sessions, tokens, decisions and receipts are everybody's", async () => {
  const one = await several.start();
  const two = await several.start();
  expect(two.ready["pin"]).toBe(one.ready["pin"]);
  several.lead(one);
  const ready = await setUp(one);
  const taskId = await order(ready);
  several.lead(two);
  await ready.agent.reaches(taskId, "approval_required");
  await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
  several.lead(one);
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(several.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  // A dead gateway's leases end by time alone, so it goes when it holds none.
  await until(
    () => several.database.query("select 1 from task where lease_until > $1", [Date.now()]),
    (leased) => leased.length === 0,
    "the last lease to be given back",
  );
  await two.kill();
  const again = await order(ready);
  await ready.agent.reaches(again, "approval_required");
});

it("two tasks of one account never run at the same time, whichever gateways take them", async () => {
  const one = await several.start();
  const two = await several.start();
  several.lead(one);
  const { agent, accountRef, consentRef } = await setUp(one);
  let most = 0;
  const list = { operation: "retail.orders.list", parameters: {} };
  const tasks: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    several.lead(i % 2 === 0 ? one : two);
    const reply = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef: "" }, list));
    tasks.push(String(reply.json["task_id"]));
  }
  await until(
    async () => {
      const leased = await several.database.query("select lease_owner from task where lease_until > $1", [Date.now()]);
      most = Math.max(most, leased.length);
      return several.database.query("select 1 from task where state <> 'succeeded'");
    },
    (open) => open.length === 0,
    "all to be read",
  );
  expect(most).toBeLessThanOrEqual(1);
  expect(tasks).toHaveLength(12);
});

it("a watch outlives the gateway that took it, and of several gateways one looks", async () => {
  const one = await several.start();
  const { agent, person, accountRef } = await setUp(one);
  const operation = "retail.deal.watch";
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: [operation] });
  await person.grant(consentRef, accountRef);
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const watches = 4;
  for (let i = 0; i < watches; i += 1) {
    const parameters = { item_ref: "TL-200", at_most_minor: 1, currency: "EUR", watch_ends_at: inHours(6) };
    const request = orderRequest({ accountRef, consentRef, fulfillmentRef: "" }, { operation, expires_at: inHours(8) });
    const taken = await agent.post("/v1/tasks", { ...request, parameters });
    expect([taken.status, taken.text]).toEqual([201, taken.text]);
  }
  const looks = async () =>
    (await several.database.query("select watch_looks from task where lease_owner is null")).map((row) =>
      Number(row["watch_looks"]),
    );
  const all = (count: number) => (found: readonly number[]) =>
    found.length === watches && found.every((each) => each === count);
  await until(looks, all(1), "the first looks");
  await one.kill();
  // An hour and a look's spread later there are two others.
  await Promise.all([1, 2].map(() => several.start({ aheadMs: PAST_A_LOOK_MS })));
  await until(looks, all(2), "the second looks");
  const asked = several.shop.control.requests().filter(({ path }) => path.endsWith("/products/TL-200"));
  expect(asked).toHaveLength(2 * watches);
});

describe("kill -9", () => {
  it("STA-2 STA-3 after the crossing: another gateway takes over once the lease has run out, and sends nothing again", async () => {
    const dying = await several.start({ dieAt: "send.after" });
    const ready = await setUp(dying);
    const taskId = await order(ready);
    await ready.agent.reaches(taskId, "approval_required");
    await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
    await until(
      async () => dying.process.signalCode,
      (code) => code === "SIGKILL",
      "the gateway to die",
    );
    const before = await rows(taskId);
    expect(before).toMatchObject({ state: "executing" });
    // A gateway that starts while the dead one's lease runs leaves it alone: its owner might be well.
    const early = await several.start();
    several.lead(early);
    expect((await ready.agent.task(taskId)).json["state"]).toBe("executing");
    expect(await rows(taskId)).toEqual(before);
    several.lead(await several.start(PAST_THE_LEASE));
    const end = await until(
      () => rows(taskId),
      (row) => row["state"] === "succeeded",
      "the order to be found",
    );
    expect(Number(end["fence"])).toBeGreaterThan(Number(before["fence"]));
    expect(several.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });
});

describe("SIGSTOP past the lease, then SIGCONT", () => {
  it("STA-2 before the crossing: the other gateway orders, and the one that wakes cannot cross", async () => {
    const sleeping = await several.start({ pauseAt: "boundary.before" });
    const ready = await setUp(sleeping);
    const taskId = await order(ready);
    await ready.agent.reaches(taskId, "approval_required");
    await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
    await stopped(sleeping);
    const before = await rows(taskId);
    several.lead(await several.start(PAST_THE_LEASE));
    await until(
      () => rows(taskId),
      (row) => row["state"] === "succeeded",
      "the other to finish",
    );
    sleeping.process.kill("SIGCONT");
    several.lead(sleeping);
    // Awake again it answers, and takes the next task: what it held before has come to nothing.
    expect((await ready.agent.task(taskId)).json["state"]).toBe("succeeded");
    await until(
      () => several.database.query("select 1 from task where lease_until is not null"),
      (leased) => leased.length === 0,
      "every lease to be given back",
    );
    expect(several.shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
    expect(Number((await rows(taskId))["fence"])).toBeGreaterThan(Number(before["fence"]));
    const uses = await several.database.query("select 1 from approval_use");
    expect(uses).toHaveLength(1);
  });
});

it("notifications lost: what falls due is found all the same, by the worker's own second", async () => {
  const deaf = await several.start();
  const ready = await setUp(deaf);
  const taskId = await order(ready);
  await ready.agent.reaches(taskId, "approval_required");
  await several.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
  );
  // Nobody knocks for this.
  await several.database.query("update task set due_at = 1, request_expires_at = 1 where task_id = $1", [taskId]);
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "expired", reason: "request_expired" });
});

it("a restart of all keeps everything", async () => {
  const one = await several.start();
  const ready = await setUp(one);
  const taskId = await order(ready);
  await ready.agent.reaches(taskId, "approval_required");
  const view = await ready.person.approvalFor(taskId);
  await one.kill();
  const two = await several.start();
  expect(two.ready["pin"]).toBe(one.ready["pin"]);
  expect((await ready.person.approvalFor(taskId))["action_digest"]).toBe(view["action_digest"]);
  await ready.person.decide(view, "approved");
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
});
