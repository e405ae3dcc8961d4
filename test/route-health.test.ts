import { randomUUID } from "node:crypto";
import { practiceShop } from "@countersign/adapter-practice-shop";
import type { Destination, Route, RouteKind } from "@countersign/plugin";
import { OPERATIONS, type Operation } from "@countersign/profile";
import { createHttpRoute } from "@countersign/route-http";
import { assert, DAY_MS, formatInstant, instant, type JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

// Two ways to the practice shop's account, of which one can be out of order. Both go to its API here: what is proven is
// the gateway's choice, and a way to the pages would need a browser.

const WATCH = "retail.deal.watch";
/** A look each minute, so that the shop's own token outlasts the pause. */
const catalogue: readonly Operation[] = OPERATIONS.map((operation) =>
  operation.effect === "read" && operation.repeats !== undefined
    ? { ...operation, repeats: { ...operation.repeats, everyMsMin: 60_000 } }
    : operation,
);

let ready: Awaited<ReturnType<typeof readyWorld>>;
let down: Set<RouteKind>;
let opens: RouteKind[];

function way(kind: RouteKind): Route {
  const http = createHttpRoute();
  const asHttp = (destination: Destination): Destination => ({
    ...destination,
    entry: { ...destination.entry, route: "http" } as Destination["entry"],
  });
  return {
    ...http,
    kind,
    beginSignIn: (ctx, destination, ...more) => http.beginSignIn(ctx, asHttp(destination), ...more),
    async open(ctx, destination, ...more) {
      opens.push(kind);
      if (down.has(kind)) return { ok: false, reason: "site_unavailable" };
      return http.open(ctx, asHttp(destination), ...more);
    },
  };
}

beforeEach(async () => {
  down = new Set();
  opens = [];
  const entries = practiceShop.entries.flatMap((entry) =>
    entry.route === "http" ? [entry, { ...entry, route: "browser" as const }] : [],
  );
  ready = await readyWorld({
    catalogue,
    shopSite: { ...practiceShop, entries: entries as unknown as typeof practiceShop.entries },
    routes: () => [way("http"), way("browser")],
  });
  const { person, agent, accountRef } = ready;
  const begun = await person.post("/connections", {
    destination: "practice-shop",
    route: "browser",
    account_ref: accountRef,
  });
  assert(begun.status < 300, begun.text);
  await person.signInAtShop(String(begun.json["continuation_ref"]));
  const operations = ["retail.orders.list", "retail.order.submit"];
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations, routes: ["http", "browser"] });
  await person.grant(consentRef, accountRef);
  ready = { ...ready, consentRef };
  opens = [];
});
afterEach(() => ready.world.close());

async function submit(operation: string, parameters: JsonObject): Promise<string> {
  const answer = await ready.agent.post("/v1/tasks", {
    profile: "sophtron.agentic-web-execution/0.1",
    request_id: `req_${randomUUID()}`,
    idempotency_key: `key_${randomUUID()}`,
    account_ref: ready.accountRef,
    consent_ref: ready.consentRef,
    operation,
    parameters,
    expires_at: formatInstant(instant(Date.now() + ready.world.offset() + DAY_MS)),
  });
  assert(answer.status === 201, answer.text);
  return String(answer.json["task_id"]);
}

const row = (taskId: string) =>
  inStore(ready.world.gateway, (db) =>
    db
      .selectFrom("task")
      .select(["state", "reason", "tries", "due_at", "lease_owner", "watch_troubles"])
      .where("task_id", "=", taskId)
      .executeTakeFirstOrThrow(),
  );
const order = () =>
  submit("retail.order.submit", {
    item_ref: "TL-200",
    quantity: 1,
    max_total_minor: 10_000,
    currency: "EUR",
    fulfillment_ref: ready.fulfillmentRef,
  });

const PAUSE_MS_MAX = 10_000;

/** Goes on past every pause between two tries. */
async function comesTo(taskId: string, state: string) {
  return until(
    async () => {
      const now = await row(taskId);
      const left = (now.due_at ?? 0) - (Date.now() + ready.world.offset());
      if (now.lease_owner === null && left > 0 && left < PAUSE_MS_MAX) ready.world.advance(left + 1);
      return now;
    },
    (now) => now.state === state,
    `${taskId} ${state}`,
    3_000,
  );
}

it("MAP-5 the first way of the grant is taken, and the next one when that is out of order", async () => {
  await comesTo(await submit("retail.orders.list", { limit: 1 }), "succeeded");
  expect(opens).toEqual(["http"]);
  down.add("http");
  opens = [];
  await comesTo(await submit("retail.orders.list", { limit: 1 }), "succeeded");
  expect(opens).toEqual(["http", "browser"]);
});

it("MAP-5 an order is prepared by the way that works, and its record and its sending are of that one", async () => {
  down.add("http");
  const taskId = await order();
  await comesTo(taskId, "approval_required");
  const view = await ready.person.approvalFor(taskId);
  expect(view["action"]).toMatchObject({ route: { kind: "browser" } });
  down.delete("http");
  opens = [];
  await ready.person.decide(view, "approved");
  await comesTo(taskId, "succeeded");
  expect(new Set(opens)).toEqual(new Set(["browser"]));
});

it("MAP-5 a way that the grant does not have is not taken, whatever is out of order", async () => {
  const { person, agent, accountRef } = ready;
  const consentRef = await agent.askGrant({
    destination: "practice-shop",
    operations: ["retail.orders.list"],
    routes: ["http"],
  });
  await person.grant(consentRef, accountRef);
  ready = { ...ready, consentRef };
  down.add("http");
  const ended = await comesTo(await submit("retail.orders.list", { limit: 1 }), "failed");
  expect([ended.reason, new Set(opens)]).toEqual(["site_unavailable", new Set(["http"])]);
});

it("MAP-5 a watch whose way is out of order is looked at by the next one", async () => {
  down.add("http");
  const { person, agent, accountRef } = ready;
  const consentRef = await agent.askGrant({
    destination: "practice-shop",
    operations: [WATCH],
    routes: ["http", "browser"],
  });
  await person.grant(consentRef, accountRef);
  ready = { ...ready, consentRef };
  const watchEndsAt = formatInstant(instant(Date.now() + ready.world.offset() + DAY_MS / 2));
  const taskId = await submit(WATCH, {
    item_ref: "TL-200",
    at_most_minor: 1_000_000,
    currency: "EUR",
    watch_ends_at: watchEndsAt,
  });
  await until(
    () => row(taskId),
    (now) => now.watch_troubles === 1,
    "a look in vain",
  );
  const { due_at: lookAt } = await row(taskId);
  assert(lookAt !== null, "it is looked at again");
  ready.world.advance(lookAt - (Date.now() + ready.world.offset()) + 1);
  await comesTo(taskId, "succeeded");
  expect(opens).toEqual(["http", "browser"]);
});
