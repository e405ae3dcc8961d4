import assert from "node:assert/strict";
import type { JsonObject } from "@countersign/wire";
import { kindsSeen } from "./requests.ts";
import { commit, itemRef, type World, white } from "./world.ts";

export interface Scenario {
  readonly title: string;
  run(world: World): Promise<void>;
}

const CHECKOUT = { method: "GET", path: "/checkout" };

/** Everything at EverShop itself, a store that knows nothing of us. */
export const scenarios: readonly Scenario[] = [
  {
    title: "the agent reads the account's real orders",
    async run({ agent, refs, shop }) {
      const taskId = await agent.submit(refs, "retail.orders.list", { limit: 10 });
      assert.equal((await agent.reaches(taskId))["state"], "succeeded");
      const { result } = await agent.get(`/v1/tasks/${taskId}/result`);
      const [order] = await shop.orders();
      assert.equal(order?.grandTotal, "20.0000");
      assert.deepEqual((result as JsonObject)["orders"], [
        {
          order_number: order?.orderNumber,
          status: "pending, new",
          currency: "USD",
          total_minor: 2000,
          lines: [{ title: "Ceramic Coffee Cup - White, Color: White", quantity: 1, unit_minor: 1500 }],
        },
      ]);
    },
  },
  {
    title: "an approved order is placed once, for what was approved, by requests that the shop's pages make",
    async run(world) {
      const { agent, person, refs, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await agent.order(refs, itemRef);
      assert.equal((await agent.reaches(taskId, "approval_required"))["state"], "approval_required");
      const shown = await person.openApproval(taskId);
      for (const text of ["35.00", "Ceramic Coffee Cup - White", "1 Main Street", "Cash On Delivery"])
        assert.ok(shown.text.includes(text), `the record shows ${text}`);
      assert.equal(proxy.count(commit), 0, "nothing is sent before the approval");
      await person.approve();
      assert.equal((await agent.reaches(taskId))["state"], "succeeded");
      const placed = await newOrders(world, before);
      assert.equal(placed.length, 1);
      assert.equal(placed[0]?.grandTotal, "35.0000");
      assert.deepEqual(
        placed[0]?.items.map(({ sku, qty }) => ({ sku, qty })),
        [{ sku: white.sku, qty: 2 }],
      );
      assert.equal(proxy.count(commit), 1);
      const { result } = await agent.get(`/v1/tasks/${taskId}/result`);
      assert.deepEqual(result, { order_number: placed[0]?.orderNumber, currency: "USD", total_minor: 3500 });
      const receipt = await receiptOf(world, taskId);
      assert.ok(JSON.stringify(receipt).includes(String(placed[0]?.orderNumber)), "the receipt names the order");
      const strange = [...kindsSeen(proxy)].filter((kind) => !world.byHand.has(kind));
      assert.deepEqual(strange, [], "no request but those of the shop's pages");
    },
  },
  {
    title: "a lost answer is unknown, then found in the history; still one order",
    async run(world) {
      const { agent, person, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await approvalFor(world);
      const cut = proxy.cutAfterRequest(commit);
      try {
        await person.approve();
        assert.equal((await agent.reaches(taskId, "outcome_unknown"))["state"], "outcome_unknown");
      } finally {
        cut.lift();
      }
      assert.equal((await agent.reaches(taskId))["state"], "succeeded");
      assert.equal(cut.count(), 1);
      assert.equal(proxy.count(commit), 1, "the lost request is not sent again");
      const placed = await newOrders(world, before);
      assert.equal(placed.length, 1);
      const { result } = await agent.get(`/v1/tasks/${taskId}/result`);
      assert.deepEqual(result, { order_number: placed[0]?.orderNumber, currency: "USD", total_minor: 3500 });
    },
  },
  {
    title: "killed while an approval waits: the same record is decided after the restart; one order",
    async run(world) {
      const { agent, person, gateway, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await agent.order(world.refs, itemRef);
      await agent.reaches(taskId, "approval_required");
      const first = await person.openApproval(taskId);
      await gateway.kill();
      await gateway.start();
      assert.equal(proxy.count(commit), 0);
      assert.equal((await person.openApproval(taskId)).actionId, first.actionId);
      await person.approve();
      assert.equal((await agent.reaches(taskId))["state"], "succeeded");
      assert.equal((await newOrders(world, before)).length, 1);
      assert.equal(proxy.count(commit), 1);
    },
  },
  {
    title: "killed with the request held: nothing has left; after the restart one order at most",
    async run(world) {
      const { agent, person, gateway, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await approvalFor(world);
      // The first checkout is the one that is held, the second the one that the terms are read from again.
      const killed = atNth(world, CHECKOUT, 2, () => gateway.kill());
      await person.approve();
      await killed;
      assert.equal(proxy.count(commit), 0, "the held request died with the gateway");
      assert.equal((await newOrders(world, before)).length, 0);
      await gateway.start();
      assert.equal((await agent.reaches(taskId, "approval_required"))["state"], "succeeded");
      assert.equal((await newOrders(world, before)).length, 1);
      assert.equal(proxy.count(commit), 1);
    },
  },
  {
    title: "killed while the shop places the order: never sent again; found in the history",
    async run(world) {
      const { agent, person, gateway, proxy, shop } = world;
      const before = (await shop.orders()).length;
      const taskId = await approvalFor(world);
      proxy.forget();
      // The proxy has the whole request and forwards it once the hook is done.
      const killed = atNth(world, commit, 1, () => gateway.kill());
      await person.approve();
      await killed;
      await until(async () => (await shop.orders()).length === before + 1);
      await gateway.start();
      assert.equal((await agent.reaches(taskId))["state"], "succeeded");
      assert.equal((await newOrders(world, before)).length, 1);
      assert.equal(proxy.count(commit), 1);
    },
  },
  {
    title: "a price raised before the approval is not charged: the person is asked again",
    async run(world) {
      await raised(world, async ({ shop }) => shop.setPrice(white.sku, "16.00"));
    },
  },
  {
    title: "a price raised with the request already held is not charged: the person is asked again",
    async run(world) {
      await raised(world, async (its) => {
        void atNth(its, CHECKOUT, 2, () => its.shop.setPrice(white.sku, "16.00"));
      });
    },
  },
];

/** Approves at the old price, with the price raised by `raise`; then denies the new one. */
async function raised(world: World, raise: (world: World) => Promise<void>): Promise<void> {
  const { agent, person, proxy, shop } = world;
  const before = (await shop.orders()).length;
  try {
    const taskId = await agent.order(world.refs, itemRef);
    await agent.reaches(taskId, "approval_required");
    const first = await person.openApproval(taskId);
    assert.ok(first.text.includes("35.00"));
    proxy.forget();
    await raise(world);
    await person.approve();
    const again = await person.openApproval(taskId, first.actionId);
    assert.ok(again.text.includes("37.00"), "the new record shows the new total");
    assert.notEqual(again.actionId, first.actionId);
    assert.equal(proxy.count(commit), 0, "nothing was sent");
    await person.deny();
    assert.equal((await agent.reaches(taskId))["state"], "denied");
    assert.equal((await newOrders(world, before)).length, 0);
    assert.equal(proxy.count(commit), 0);
  } finally {
    await shop.setPrice(white.sku, white.price);
  }
}

/** A fresh task whose record is open in front of the person; counts begin anew. */
async function approvalFor(world: World): Promise<string> {
  const taskId = await world.agent.order(world.refs, itemRef);
  const task = await world.agent.reaches(taskId, "approval_required");
  assert.equal(task["state"], "approval_required", JSON.stringify(task));
  await world.person.openApproval(taskId);
  world.proxy.forget();
  return taskId;
}

/** Does something once, when the nth such request from now on has come and before it goes on. */
function atNth(
  { proxy }: World,
  pattern: { readonly method: string; readonly path: string },
  nth: number,
  act: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const remove = proxy.onRequest(async () => {
      if (proxy.count(pattern) < nth) return;
      remove();
      await act().then(resolve, reject);
    });
  });
}

async function newOrders({ shop }: World, before: number) {
  return (await shop.orders()).slice(before);
}

async function receiptOf({ person }: World, taskId: string): Promise<unknown> {
  let receipt: unknown;
  await until(async () => {
    receipt = (await person.task(taskId))["receipt"];
    return receipt !== undefined;
  });
  return receipt;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error("it does not come about");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
