import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FaultAnswer } from "../src/index.ts";
import { CHECKOUT, openShop, orderLamp, type Shopper, shopper, type TestShop } from "./shopper.ts";

let shop: TestShop;
let person: Shopper;
beforeEach(async () => {
  shop = await openShop();
  person = shopper(shop);
  await person.signIn();
});
afterEach(() => shop.close());

const SEEDED = 3;

describe("faults at the commit", () => {
  test("STA-4 commitThenDrop places the order and sends not one byte", async () => {
    shop.control.commitThenDrop({ times: 1 });
    await expect(orderLamp(person)).rejects.toThrow();
    expect(shop.control.orders()).toHaveLength(SEEDED + 1);
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
    expect((await orderLamp(person)).status).toBe(303);
  });

  test("dropBeforeCommit looks the same and places nothing", async () => {
    shop.control.dropBeforeCommit({ times: 1 });
    await expect(orderLamp(person)).rejects.toThrow();
    expect(shop.control.orders()).toHaveLength(SEEDED);
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 0 });
    expect((await person.get("/cart")).text).toContain("Trail Lamp 200");
  });

  test.each([400, 402, 408, 409, 422, 429, 500, 502, 503])(
    "commitThen %i commits; withoutCommitThen does not; both answer alike",
    async (status) => {
      shop.control.withoutCommitThen(status, { times: 1 });
      const without = await orderLamp(person);
      expect(shop.control.counters().orders).toBe(0);
      shop.control.commitThen(status, { times: 1 });
      const committed = await person.submit("/checkout", "/checkout", CHECKOUT);
      expect(shop.control.counters().orders).toBe(1);
      expect([committed.status, committed.text]).toEqual([status, without.text]);
      expect(committed.status).toBe(status);
    },
  );

  test("half of the confirmation arrives, then the connection is cut", async () => {
    shop.control.commitThen("half_body", { times: 1 });
    await expect(orderLamp(person)).rejects.toThrow();
    expect(shop.control.counters().orders).toBe(1);
  });

  test.each<[FaultAnswer, number]>([
    ["sign_in_page", 200],
    ["sign_in_redirect", 302],
  ])("%s in place of the confirmation", async (answer, status) => {
    shop.control.commitThen(answer, { times: 1 });
    const reply = await orderLamp(person);
    expect(reply.status).toBe(status);
    expect(shop.control.counters().orders).toBe(1);
    if (status === 200) expect(reply.text).toContain('<button class="main">Sign in</button>');
    else expect(reply.headers.get("location")).toBe("/sign-in");
  });

  test("refuse is recognisable and commits nothing, for orders and cancellations", async () => {
    shop.control.refuse();
    const order = await orderLamp(person);
    expect(order.status).toBe(422);
    expect(order.text).toContain("Your order was not placed");
    expect(order.text).toContain("out of stock");
    const cancel = await person.submit("/membership/cancel/confirm", "/membership/cancel", {});
    expect(cancel.status).toBe(422);
    expect(cancel.text).toContain("Your membership was not cancelled");
    expect(shop.control.counters()).toMatchObject({ submits: 2, orders: 0, cancels: 0 });
  });

  test("a fault may be meant for one kind of commit", async () => {
    shop.control.commitThenDrop({ on: "cancellation" });
    expect((await orderLamp(person)).status).toBe(303);
    await expect(person.submit("/membership/cancel/confirm", "/membership/cancel", {})).rejects.toThrow();
    expect(shop.control.counters()).toMatchObject({ orders: 1, cancels: 1 });
  });

  test("a submission that is refused anyway does not use a commitThen up", async () => {
    shop.control.commitThen(503, { times: 1 });
    expect((await person.submit("/orders", "/checkout", CHECKOUT)).status).toBe(409);
    expect(shop.control.switches()).toHaveLength(1);
  });

  test("delay waits where it is told to", async () => {
    shop.control.delay(40_000, { times: 1 });
    shop.control.delay(5_000, { at: "page", times: 1 });
    await person.get("/orders");
    expect(shop.waits).toEqual([5_000]);
    expect((await orderLamp(person)).status).toBe(303);
    expect(shop.waits).toEqual([5_000, 40_000]);
  });

  test("a session that ends while the submission waits commits nothing", async () => {
    await person.submit("/", "/cart", { sku: "TL-200", quantity: "1" });
    shop.control.endSession();
    const reply = await person.post("/checkout", CHECKOUT);
    expect([reply.status, reply.headers.get("location")]).toEqual([302, "/sign-in"]);
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 0 });
  });

  test("chargeOver takes more than the order's lines", async () => {
    shop.control.chargeOver(111, { times: 1 });
    await orderLamp(person);
    const [order] = shop.control.orders();
    expect(order?.totalMinor).toBe((order?.subtotalMinor ?? 0) + (order?.delivery.priceMinor ?? 0) + 111);
    await orderLamp(person);
    expect(shop.control.orders()[0]?.totalMinor).toBe(4990);
  });
});

describe("prices, titles, read-back", () => {
  test("total moves by exactly the delta, up and down, and lines still add up", async () => {
    shop.control.total(1);
    await orderLamp(person);
    shop.control.total(-1);
    await orderLamp(person);
    const [lower, higher] = shop.control.orders();
    expect([higher?.totalMinor, lower?.totalMinor]).toEqual([4991, 4989]);
    expect(higher?.totalMinor).toBe((higher?.subtotalMinor ?? 0) + (higher?.delivery.priceMinor ?? 0));
  });

  test("a hostile title is shown as text", async () => {
    shop.control.title('<script>alert(1)</script>\u202e" onload="x');
    const page = (await person.get("/products/TL-200")).text;
    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain('" onload="');
    expect(page).toContain("&lt;script&gt;alert(1)");
  });

  test("read-back down: history and membership answer 503, the confirmation stays, and up brings them back", async () => {
    const placed = await orderLamp(person);
    shop.control.readBack("down");
    expect((await person.get("/orders")).status).toBe(503);
    expect((await person.get("/membership")).status).toBe(503);
    expect((await person.get(placed.headers.get("location") ?? "")).status).toBe(200);
    shop.control.readBack("up");
    expect((await person.get("/orders")).status).toBe(200);
    shop.control.readBack("down", { times: 1 });
    expect((await person.get("/orders")).status).toBe(503);
    expect((await person.get("/orders")).status).toBe(200);
  });

  test("U04 an order from another device appears beside ours and is not counted", async () => {
    await orderLamp(person);
    shop.control.placeOrderElsewhere({ sku: "TL-200", quantity: 1 });
    const [theirs, ours] = shop.control.orders();
    expect(theirs?.totalMinor).toBe(ours?.totalMinor);
    expect(theirs?.number).not.toBe(ours?.number);
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
  });

  test("settings that are none are refused", () => {
    expect(() => shop.control.commitThen(200)).toThrow(RangeError);
    expect(() => shop.control.commitThenDrop({ times: 0 })).toThrow(RangeError);
    expect(() => shop.control.price("none", 1)).toThrow(RangeError);
    expect(() => shop.control.delay(-1)).toThrow(RangeError);
    expect(() => shop.control.total(0.5)).toThrow(RangeError);
    expect(shop.control.switches()).toEqual([]);
  });
});
