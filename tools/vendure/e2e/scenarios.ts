import assert from "node:assert/strict";
import { reportLines, runCheck } from "@countersign/adapter-kit";
import type { JsonObject } from "@countersign/wire";
import { check } from "../../../adapters/vendure/test/check.ts";
import { orderRequest } from "../../../test/support/agent.ts";
import { until } from "../../../test/support/http.ts";
import { taskMs } from "../limits.ts";
import type { World } from "./world.ts";

export interface Scenario {
  readonly title: string;
  run(world: World): Promise<void>;
}

const at = (says: string) => ({ method: "POST", path: "/shop-api", says });
const PAY = at("mutation Pay(");
const ADD = at("mutation Add(");
const TO_PAYMENT = at("mutation ToPayment ");
const LAMP = { ref: "trail-lamp-200/TL-200", sku: "TL-200", netMinor: 4_000, dearerNetMinor: 4_500 } as const;
/** With 19 % tax, and delivery at 5.83. */
const ONE_MINOR = 5_343;
const ONE_DEARER_MINOR = 5_938;
const TWO_MINOR = 10_103;

/** Everything at Vendure itself, an engine that knows nothing of us. */
export const scenarios: readonly Scenario[] = [
  {
    title: "the agent reads the customer's real orders, and an item by the name that it has there",
    async run(world) {
      const [bought] = await world.shop.orders();
      const listed = await read(world, "retail.orders.list", { limit: 5 });
      assert.deepEqual(
        (listed["orders"] as readonly JsonObject[]).map(({ placed_at: _, ...row }) => row),
        [
          {
            order_number: bought?.code,
            status: "PaymentSettled",
            currency: "USD",
            total_minor: bought?.totalMinor,
            lines: [{ ref: "enamel-mug/EM-100", title: "Enamel Mug", quantity: 2, unit_minor: 1488 }],
          },
        ],
      );
      const item = await read(world, "retail.item.get", { item_ref: LAMP.ref });
      assert.equal(item["price_minor"], 4760);
      assert.equal(item["description"], "A lamp for the trail: 200 lumen , 18 hours.");
    },
  },
  {
    title: "an approved order is one order, for what was approved, and its number is in the receipt",
    async run(world) {
      const { agent, person, proxy, shop, phone } = world;
      const before = (await shop.orders()).length;
      const taskId = await order(world, 2);
      const view = await waitsFor(world, taskId);
      assert.equal(totalOf(view), TWO_MINOR);
      for (const text of ["Trail Lamp 200", "Card on file", "Hafenweg 14"])
        assert.ok(disclosedBy(view).includes(text), `the record shows ${text}`);
      assert.equal(proxy.count(PAY), 0, "nothing is sent before the approval");
      assert.deepEqual(await phone.cart(), [], "while it is decided the cart is as it was");
      await approve(world, view);
      await ends(world, taskId, "succeeded");
      const [placed, ...others] = (await shop.orders()).slice(before);
      assert.equal(others.length, 0);
      assert.deepEqual(placed?.items, [{ ref: LAMP.ref, quantity: 2 }]);
      assert.equal(placed?.totalMinor, TWO_MINOR);
      assert.equal(proxy.count(PAY), 1);
      const { result } = (await agent.get(`/v1/tasks/${taskId}/result`)).json;
      assert.equal((result as JsonObject)["order_number"], placed?.code);
      const receipt = await until(
        async () => (await person.get(`/tasks/${taskId}`)).json["receipt"],
        (its) => its !== undefined,
        "the receipt",
      );
      assert.ok(JSON.stringify(receipt).includes(String(placed?.code)), "the receipt names the order");
    },
  },
  {
    title: "a lost answer is unknown, then found by reading back; still one order",
    async run(world) {
      const { agent, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await order(world, 1);
      const view = await waitsFor(world, taskId);
      const cut = proxy.cutAfterRequest(PAY);
      try {
        await approve(world, view);
        assert.equal((await agent.reaches(taskId, "outcome_unknown"))["state"], "outcome_unknown");
      } finally {
        cut.lift();
      }
      await ends(world, taskId, "succeeded");
      assert.equal((await shop.orders()).length, before + 1);
      assert.equal(proxy.count(PAY), 1, "the lost request is not sent again");
    },
  },
  {
    title: "a price raised before the approval is not charged: the person is asked again",
    run: (world) => raised(world, async ({ shop }) => shop.setPrice(LAMP.sku, LAMP.dearerNetMinor)),
  },
  {
    title: "a price raised after the approval is not charged: the person is asked again, and the cart is as it was",
    run: (world) =>
      raised(world, async (its) => {
        void atNext(its, ADD, () => its.shop.setPrice(LAMP.sku, LAMP.dearerNetMinor));
      }),
  },
  {
    title: "killed with the cart made ready: after the restart one order",
    async run(world) {
      const { gateway, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await order(world, 1);
      const view = await waitsFor(world, taskId);
      const killed = atNext(world, TO_PAYMENT, () => gateway.kill());
      await approve(world, view);
      await killed;
      assert.equal(proxy.count(PAY), 0);
      await gateway.start();
      await ends(world, taskId, "succeeded");
      assert.equal((await shop.orders()).length, before + 1);
      assert.equal(proxy.count(PAY), 1);
    },
  },
  {
    title: "killed while the shop takes the order: never sent again; found by reading back; one order",
    async run(world) {
      const { gateway, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await order(world, 1);
      const view = await waitsFor(world, taskId);
      // The proxy has the whole request and forwards it once the hook is done.
      const killed = atNext(world, PAY, () => gateway.kill());
      await approve(world, view);
      await killed;
      await until(shop.orders, (orders) => orders.length === before + 1, "the order");
      await gateway.start();
      await ends(world, taskId, "succeeded");
      assert.equal((await shop.orders()).length, before + 1);
      assert.equal(proxy.count(PAY), 1);
    },
  },
  {
    title: "a declined payment is a failure, and nothing is ordered",
    async run(world) {
      const { shop, phone } = world;
      const before = (await shop.orders()).length;
      const taskId = await order(world, 3);
      await approve(world, await waitsFor(world, taskId));
      const ended = await ends(world, taskId, "failed");
      assert.ok(JSON.stringify(ended).includes("site_refused"), JSON.stringify(ended));
      assert.equal((await shop.orders()).length, before);
      await phone.emptyCart();
    },
  },
  {
    title: "a cart in which something of the person's lies is left as it is, and nothing is ordered",
    async run(world) {
      const { shop, phone, proxy } = world;
      await phone.put("enamel-mug", 1);
      const before = (await shop.orders()).length;
      const taskId = await order(world, 1);
      const ended = await ends(world, taskId, "failed");
      assert.ok(JSON.stringify(ended).includes("site_gap"), JSON.stringify(ended));
      assert.deepEqual(await phone.cart(), ["EM-100 × 1"]);
      assert.equal((await shop.orders()).length, before);
      assert.equal(proxy.count(PAY), 0);
      await phone.emptyCart();
    },
  },
  {
    title: "an ended session asks the person to sign in, and orders nothing",
    async run(world) {
      await world.shop.endSessions();
      const asked = await world.agent.post("/v1/tasks", request(world, "retail.orders.list", { limit: 1 }));
      const task = await world.agent.reaches(String(asked.json["task_id"]), "authentication_required");
      assert.equal(task["state"], "authentication_required");
    },
  },
  {
    title: "MAP-6 the adapter keeps every promise at a shop of its own, with every fault on",
    async run() {
      const report = await runCheck(check);
      assert.deepEqual(report.broken, [], reportLines(report).join("\n"));
      // Nobody here asks for a code after the submission.
      assert.deepEqual(new Set(report.not_tried.map(({ fault }) => fault)), new Set(["second_factor"]));
    },
  },
];

/** Approves at the old price, with the price raised by `raise`; then denies the new one. */
async function raised(world: World, raise: (world: World) => Promise<void>): Promise<void> {
  const { person, proxy, shop, phone } = world;
  const before = (await shop.orders()).length;
  try {
    const taskId = await order(world, 1);
    const first = await waitsFor(world, taskId);
    assert.equal(totalOf(first), ONE_MINOR);
    await raise(world);
    await approve(world, first);
    const again = await recordOf(world, taskId, first);
    assert.equal(totalOf(again), ONE_DEARER_MINOR, "the new record shows the new total");
    assert.equal(proxy.count(PAY), 0, "nothing was sent");
    assert.deepEqual(await phone.cart(), [], "the cart is as it was");
    await person.decide(again, "denied");
    await ends(world, taskId, "denied");
    assert.equal((await shop.orders()).length, before);
    assert.equal(proxy.count(PAY), 0);
  } finally {
    await shop.setPrice(LAMP.sku, LAMP.netMinor);
  }
}

function request(world: World, operation: string, parameters: JsonObject): JsonObject {
  return { ...orderRequest(world), operation, parameters };
}

async function order(world: World, quantity: number): Promise<string> {
  const { fulfillmentRef } = world;
  const wish = {
    item_ref: LAMP.ref,
    quantity,
    max_total_minor: 20_000,
    currency: "USD",
    fulfillment_ref: fulfillmentRef,
  };
  const asked = await world.agent.post("/v1/tasks", request(world, "retail.order.submit", wish));
  assert.equal(asked.status, 201, asked.text);
  return String(asked.json["task_id"]);
}

async function read(world: World, operation: string, parameters: JsonObject): Promise<JsonObject> {
  const asked = await world.agent.post("/v1/tasks", request(world, operation, parameters));
  assert.equal(asked.status, 201, asked.text);
  const taskId = String(asked.json["task_id"]);
  await ends(world, taskId, "succeeded");
  return (await world.agent.get(`/v1/tasks/${taskId}/result`)).json["result"] as JsonObject;
}

async function waitsFor(world: World, taskId: string): Promise<JsonObject> {
  const task = await world.agent.reaches(taskId, "approval_required");
  assert.equal(task["state"], "approval_required", JSON.stringify(task));
  return recordOf(world, taskId);
}

/** The record of this task that waits for the person, another one than `unlike`. */
async function recordOf({ person }: World, taskId: string, unlike?: JsonObject): Promise<JsonObject> {
  const found = await until(
    async () => {
      const { items } = (await person.get("/inbox")).json as { items: readonly { kind: string; href: string }[] };
      const waiting = items.filter(({ kind }) => kind === "approval");
      const views = await Promise.all(waiting.map(async ({ href }) => (await person.get(href)).json));
      return views.find((view) => view["task_id"] === taskId && view["action_id"] !== unlike?.["action_id"]);
    },
    (view) => view !== undefined,
    `a record of ${taskId}`,
  );
  assert.ok(found !== undefined);
  return found;
}

async function approve({ person }: World, view: JsonObject): Promise<void> {
  const decided = await person.decide(view, "approved");
  assert.equal(decided.status, 200, decided.text);
}

async function ends({ agent }: World, taskId: string, state: string): Promise<JsonObject> {
  const task = await until(
    async () => (await agent.task(taskId)).json,
    (its) => ["succeeded", "denied", "expired", "failed", "cancelled"].includes(String(its["state"])),
    `the end of ${taskId}`,
    taskMs,
  );
  assert.equal(task["state"], state, JSON.stringify(task));
  return task;
}

/** Does something once, when the next such request has come and before it goes on. */
function atNext(
  { proxy }: World,
  pattern: Parameters<World["proxy"]["count"]>[0],
  act: () => Promise<void>,
): Promise<void> {
  const before = proxy.count(pattern);
  return new Promise((resolve, reject) => {
    const remove = proxy.onRequest(async () => {
      if (proxy.count(pattern) === before) return;
      remove();
      await act().then(resolve, reject);
    });
  });
}

function disclosedBy(view: JsonObject): string {
  const disclosures = view["disclosures"] as readonly string[];
  return disclosures.map((each) => Buffer.from(each, "base64url").toString("utf8")).join("\n");
}

function totalOf(view: JsonObject): unknown {
  return (view["action"] as { readonly terms: JsonObject }).terms["total_minor"];
}
