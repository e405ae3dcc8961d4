import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiSignIn, openShop, type Shopper, shopper, type TestShop } from "./shopper.ts";

let shop: TestShop;
let person: Shopper;
beforeEach(async () => {
  shop = await openShop();
  person = shopper(shop);
  await person.signIn();
});
afterEach(() => shop.close());
const place = (number: string) => shop.control.placeOrderElsewhere({ sku: "CK-1", quantity: 1, number });

describe("cancelling an order", () => {
  test("the page names the terms and its request, which stands with the order afterwards", async () => {
    place("HH-900001");
    shop.control.cancelFee(150);
    const page = (await person.get("/orders/HH-900001/cancel")).text;
    const request = /RQ-[0-9A-F]{10}/.exec(page)?.[0] ?? "";
    expect(page).toContain("€1.50");
    expect(page).toContain("€40.25");
    const fields = { number: "HH-900001", request };
    const done = await person.submit("/orders/HH-900001/cancel", "/orders/cancel", fields);
    expect([done.status, done.headers.get("location")]).toEqual([303, "/orders/HH-900001"]);
    const after = (await person.get("/orders/HH-900001")).text;
    expect(after).toContain(request);
    expect(after).toContain("Cancelled");
    expect(after).not.toContain("Cancel this order");
    expect(shop.control.counters()).toMatchObject({ orderCancels: 1, orderCancelSubmits: 1, submits: 1, orders: 0 });
  });

  test("is done once, not without the page's token, and not for what is on its way", async () => {
    place("HH-900001");
    place("HH-900002");
    const sent = shop.control.orders().find(({ status }) => status === "Sent")?.number ?? "";
    expect((await person.get(`/orders/${sent}/cancel`)).status).toBe(409);
    expect((await person.submit("/cart", "/orders/cancel", { number: sent })).status).toBe(409);
    shop.control.cancelOrderElsewhere("HH-900001");
    expect((await person.submit("/cart", "/orders/cancel", { number: "HH-900001" })).status).toBe(409);
    expect((await person.submit("/cart", "/orders/cancel", { number: "HH-9" })).status).toBe(404);
    expect(shop.control.counters().orderCancels).toBe(0);
    expect(() => shop.control.cancelOrderElsewhere(sent)).toThrow(RangeError);
  });

  test("by the API a repeat under its key commits nothing, and a reference is kept", async () => {
    place("HH-900001");
    const api = await apiSignIn(shop);
    const body = { number: "HH-900001", client_reference: "mine-1" };
    const headers = { "idempotency-key": "k1" };
    const first = await api.call("POST", "/order-cancellations", body, headers);
    const again = await api.call("POST", "/order-cancellations", body, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.body.cancellation).toMatchObject({ client_reference: "mine-1", kept_minor: 0 });
    expect(again.body).toEqual(first.body);
    const other = await api.call("POST", "/order-cancellations", body);
    expect([other.status, other.body.error]).toEqual([409, "order_already_cancelled"]);
    expect(shop.control.counters().orderCancels).toBe(1);
  });
});

describe("looking", () => {
  test("the wishlist shows today's price and what is sold out", async () => {
    shop.control.price("TL-200", -500);
    const page = (await person.get("/wishlist")).text;
    expect(page).toContain("€39.90");
    expect(page).toContain("Sold out");
    const api = await apiSignIn(shop);
    expect((await api.call("GET", "/wishlist")).body.items[0]).toMatchObject({ sku: "TL-200", unit_minor: 3_990 });
  });

  test("one item by the API; a product in variants is none", async () => {
    const api = await apiSignIn(shop);
    expect((await api.call("GET", "/products/WB-750-INK")).body).toMatchObject({ title: "Steel Bottle 750 ml, Ink" });
    expect((await api.call("GET", "/products/WB-750")).body.error).toBe("choose_variant");
    expect((await api.call("GET", "/products/none")).status).toBe(404);
    expect((await api.anonymous("GET", "/products/TL-200")).status).toBe(401);
  });
});
