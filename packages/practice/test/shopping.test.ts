import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CHECKOUT, OPENING_MS, openShop, orderLamp, type Shopper, shopper, type TestShop } from "./shopper.ts";

let shop: TestShop;
let person: Shopper;
beforeEach(async () => {
  shop = await openShop();
  person = shopper(shop);
  await person.signIn();
});
afterEach(() => shop.close());

describe("catalogue and cart", () => {
  test("shows products, variants and what is sold out", async () => {
    expect((await person.get("/")).text).toContain("Trail Lamp 200");
    const bottle = (await person.get("/products/WB-750")).text;
    expect(bottle).toContain('<label for="variant">Colour</label>');
    expect(bottle).toContain('<option value="WB-750-SAND">Sand</option>');
    expect((await person.get("/products/WN-9")).text).not.toContain("Add to cart");
    expect((await person.submit("/", "/cart", { sku: "WN-9", quantity: "1" })).status).toBe(422);
    expect((await person.get("/products/none")).status).toBe(404);
  });

  test("quantities add up, and the cart outlives the session", async () => {
    await person.submit("/", "/cart", { sku: "TL-200", quantity: "2" });
    const added = await person.submit("/", "/cart", { sku: "TL-200", quantity: "1" });
    expect([added.status, added.headers.get("location")]).toEqual([303, "/cart"]);
    shop.control.endSession();
    await person.signIn();
    const cart = (await person.get("/cart")).text;
    expect(cart).toContain(
      'aria-label="Quantity of Trail Lamp 200" name="quantity" type="number" min="0" max="99" value="3"',
    );
    expect(cart).toContain("€134.70");
    await person.submit("/cart", "/cart/update", { sku: "TL-200", quantity: "0" });
    expect((await person.get("/cart")).text).toContain("Your cart is empty");
  });

  test("adding cannot pass the largest quantity, and an address of another host is no page", async () => {
    await person.submit("/", "/cart", { sku: "TL-200", quantity: "99" });
    expect((await person.submit("/", "/cart", { sku: "TL-200", quantity: "1" })).status).toBe(422);
    expect((await person.get("//evil.example/orders")).status).toBe(404);
  });

  test.each(["0", "-1", "1.5", "100", "x"])("refuses the quantity %s", async (quantity) => {
    expect((await person.submit("/", "/cart", { sku: "TL-200", quantity })).status).toBe(422);
    expect((await person.get("/cart")).text).toContain("Your cart is empty");
  });
});

describe("checkout", () => {
  test("the summary follows the chosen delivery, by form and by the page's script", async () => {
    await person.submit("/", "/cart", { sku: "TL-200", quantity: "1" });
    const page = await person.get("/checkout");
    expect(page.text).toContain("Card ending 4242");
    expect(page.text).toMatch(/Total<\/th><td data-live="total">€49\.90/);
    const changed = await person.submit("/checkout", "/checkout/options", { ...CHECKOUT, delivery: "express" });
    expect(changed.headers.get("location")).toBe("/checkout");
    expect((await person.get("/checkout")).text).toMatch(/Total<\/th><td data-live="total">€54\.80/);
    const refused = await person.submit("/checkout", "/checkout/options", { ...CHECKOUT, delivery: "drone" });
    expect(refused.status).toBe(422);
  });

  test("placing an order leads to its confirmation, once, and the history shows it first with its note", async () => {
    const placed = await orderLamp(person, { note: "Leave at the <gate>" });
    expect(placed.status).toBe(303);
    const [order] = shop.control.orders();
    expect(placed.headers.get("location")).toBe(`/orders/${order?.number}/confirmed`);
    expect(order).toMatchObject({ totalMinor: 4990, note: "Leave at the <gate>", placedAtMs: OPENING_MS });
    const confirmed = await person.get(placed.headers.get("location") ?? "");
    expect(confirmed.text).toContain("Thank you, your order is placed");

    const history = (await person.get("/orders")).text;
    expect(history).toContain("Leave at the &lt;gate&gt;");
    expect(history).toContain('<time datetime="2026-11-30T12:00:00.000Z">');
    const numbers = [...history.matchAll(/>Order (HH-\d+)</g)].map((found) => found[1]);
    expect(numbers).toEqual(shop.control.orders().map(({ number }) => number));
    expect(numbers).toHaveLength(4);
    expect(numbers).toEqual(numbers.toSorted().reverse());

    const again = await person.submit("/orders", "/checkout", CHECKOUT);
    expect(again.status).toBe(409);
    expect(shop.control.counters()).toMatchObject({ submits: 2, orderSubmits: 2, orders: 1 });
  });

  test("choices sent late do not leak into the next order", async () => {
    await orderLamp(person);
    const late = await person.submit("/orders", "/checkout/options", { ...CHECKOUT, note: "of the last order" });
    expect(late.headers.get("location")).toBe("/cart");
    await person.submit("/", "/cart", { sku: "TL-200", quantity: "1" });
    expect((await person.get("/checkout")).text).not.toContain("of the last order");
  });

  test("a price raised after the last screen is charged silently", async () => {
    await person.submit("/", "/cart", { sku: "TL-200", quantity: "1" });
    expect((await person.get("/checkout")).text).toContain("€49.90");
    shop.control.price("TL-200", 200);
    expect((await person.submit("/cart", "/checkout", CHECKOUT)).status).toBe(303);
    expect(shop.control.orders()[0]?.totalMinor).toBe(5190);
  });

  test("currencies keep their own minor digits", async () => {
    const yen = await openShop({ currency: "JPY" });
    const dinar = await openShop({ currency: "KWD" });
    try {
      expect((await shopper(yen).get("/products/TL-200")).text).toContain("4,490");
      expect((await shopper(dinar).get("/products/TL-200")).text).toMatch(/KWD\s4\.490/);
    } finally {
      await yen.close();
      await dinar.close();
    }
  });
});

describe("membership", () => {
  test("offer, confirmation, cancellation, reference", async () => {
    const before = await person.get("/membership");
    expect(before.text).toContain("Trail Club");
    expect(before.text).toContain("€7.90 per month");
    expect((await person.get("/membership/cancel")).text).toContain("Stay for half price");
    expect((await person.get("/membership/cancel/confirm")).text).toContain("Ends on");
    expect(shop.control.counters().cancels).toBe(0);
    const done = await person.submit("/membership/cancel/confirm", "/membership/cancel", {});
    expect([done.status, done.headers.get("location")]).toEqual([303, "/membership"]);
    const after = (await person.get("/membership")).text;
    expect(after).toMatch(/Cancelled, ends <time datetime="2026-12-18T00:00:00\.000Z">18 December 2026/);
    expect(after).toMatch(/Cancellation reference<\/dt><dd>MC-[0-9A-F]{8}/);
    expect((await person.submit("/orders", "/membership/cancel", {})).status).toBe(409);
    expect(shop.control.counters()).toMatchObject({ cancelSubmits: 2, cancels: 1, offersTaken: 0 });
  });

  test("taking the offer halves the price and cancels nothing", async () => {
    await person.submit("/membership/cancel", "/membership/offer", {});
    expect((await person.get("/membership")).text).toContain("€3.95 per month");
    expect(shop.control.counters()).toMatchObject({ cancels: 0, offersTaken: 1 });
  });
});
