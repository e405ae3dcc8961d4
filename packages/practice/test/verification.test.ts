import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VERIFICATION_MS } from "../src/limits.ts";
import { apiSignIn, openShop, orderLamp, shopper, type TestShop } from "./shopper.ts";

let shop: TestShop;
beforeEach(async () => {
  shop = await openShop();
  shop.control.verifyPayment();
});
afterEach(() => shop.close());

const lamp = { sku: "TL-200", quantity: 1, delivery: "standard" };
const numbers = () => shop.control.orders().length;

describe("MFA-6 a card payment that the bank wants confirmed, by the API", () => {
  let api: Awaited<ReturnType<typeof apiSignIn>>;
  let quote: string;
  let path: string;
  beforeEach(async () => {
    api = await apiSignIn(shop);
    quote = (await api.call("POST", "/quotes", lamp)).body.quote_id;
    const asked = await api.call("POST", "/orders", { quote_id: quote }, { "idempotency-key": "k" });
    expect(asked.status).toBe(202);
    path = `/verifications/${String(asked.body.verification_id)}`;
  });

  test("the order is placed by the right code, and not before; its repeat is the same 202", async () => {
    expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 0, verifications: 1 });
    const again = await api.call("POST", "/orders", { quote_id: quote }, { "idempotency-key": "k" });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
    expect((await api.call("POST", path, { code: "nope" })).body).toMatchObject({ error: "wrong_code", tries_left: 2 });
    const placed = await api.call("POST", path, { code: shop.control.bankCode() });
    expect(placed.status).toBe(201);
    expect(shop.control.orders()[0]?.number).toBe(placed.body.number);
    expect((await api.call("POST", path, { code: "1" })).status).toBe(410);
    expect(shop.control.counters()).toMatchObject({ orders: 1, verifications: 1, wrongCodes: 1 });
  });

  test("a quote that is being ordered is not on offer; what nobody confirms is dropped and offered again", async () => {
    expect((await api.call("GET", `/quotes/${quote}`)).body.error).toBe("verification_pending");
    shop.clock.nowMs += VERIFICATION_MS;
    expect((await api.call("GET", `/quotes/${quote}`)).status).toBe(200);
    expect((await api.call("GET", path)).body.status).toBe("dropped");
    expect(numbers()).toBe(3);
  });

  test("three wrong codes decline it; the bank's own app places it", async () => {
    for (const code of ["1", "2"]) await api.call("POST", path, { code });
    expect((await api.call("POST", path, { code: "3" })).body.error).toBe("payment_declined");
    expect(numbers()).toBe(3);
    const other = (await api.call("POST", "/quotes", lamp)).body.quote_id;
    const asked = await api.call("POST", "/orders", { quote_id: other });
    shop.control.bankApproves();
    expect((await api.call("GET", `/verifications/${String(asked.body.verification_id)}`)).body.status).toBe("passed");
    expect(numbers()).toBe(4);
  });

  test("the answer to the right code can be cut", async () => {
    shop.control.verifyThenDrop({ times: 1 });
    await expect(api.call("POST", path, { code: shop.control.bankCode() })).rejects.toThrow();
    expect(numbers()).toBe(4);
  });
});

test("MFA-6 by the pages: the cart goes along, comes back when it is dropped, and the code leads to the confirmation", async () => {
  const person = shopper(shop);
  await person.signIn();
  const asked = await orderLamp(person);
  const path = asked.headers.get("location") ?? "";
  expect([asked.status, path]).toEqual([303, expect.stringMatching(/^\/checkout\/verification\//)]);
  expect((await person.get("/cart")).text).not.toContain("TL-200");
  expect((await person.submit(path, path, { code: "000000x" })).text).toContain("That code is not right");
  shop.control.bankDrops();
  expect((await person.get(path)).text).toContain("<h1>Your order was not placed</h1>");
  expect((await person.get("/cart")).text).toContain("TL-200");
  const second = await person.submit("/checkout", "/checkout", {
    delivery: "standard",
    address: "home",
    instrument: "card-4242",
    note: "",
  });
  const next = second.headers.get("location") ?? "";
  expect((await person.post(next, { code: shop.control.bankCode() ?? "" })).status).toBe(403);
  const done = await person.submit(next, next, { code: shop.control.bankCode() ?? "" });
  expect(done.headers.get("location")).toMatch(/^\/orders\/HH-[0-9]+\/confirmed$/);
  expect(shop.control.counters()).toMatchObject({ submits: 2, orders: 1, verifications: 2 });
});
