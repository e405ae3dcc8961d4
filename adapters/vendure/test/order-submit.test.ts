import type { ActionRecord } from "@countersign/profile";
import { beforeEach, describe, expect, it } from "vitest";
import { HARMLESS, PAY } from "../src/documents.ts";
import { orderSubmit } from "../src/order-submit.ts";
import type { Order } from "../src/shapes.ts";
import { markOf } from "../src/wish.ts";
import { type FakeShop, fakeShop, LAMP, order } from "./fake.ts";

const PARAMS = {
  item_ref: "trail-lamp-200/TL-200",
  quantity: 1,
  max_total_minor: 20_000,
  currency: "USD",
  fulfillment_ref: "det_home",
};
const RECORD = {
  issuer: "http://localhost:4600",
  task_id: "task_1",
  operation: "retail.order.submit",
  created_at: "2026-12-01T00:00:00Z",
  parameters: PARAMS,
} as unknown as ActionRecord;
const MUG = {
  id: "9",
  quantity: 1,
  unitPriceWithTax: 1_488,
  productVariant: { sku: "EM-100", name: "Mug", product: { slug: "mug" } },
};

let shop: FakeShop;
beforeEach(() => {
  shop = fakeShop();
});

const prepare = () => orderSubmit.prepare(shop.ctx, shop.session, PARAMS);
async function ready() {
  const prepared = await prepare();
  if (prepared.kind !== "ready") throw new Error(prepared.kind);
  return prepared;
}
const hold = async () => orderSubmit.hold(shop.ctx, shop.session, RECORD, (await ready()).state);
async function held() {
  const step = await hold();
  if (step.kind !== "done") throw new Error(step.kind);
  return step.value;
}
const inCart = (lines: Order["lines"], change: Partial<Order> = {}) =>
  order({ code: "CART1", state: "AddingItems", active: true, orderPlacedAt: null, lines, ...change });

describe("the one cart of a customer", () => {
  it("is filled to look and is as it was before anybody decides", async () => {
    const { terms, personal } = await ready();
    expect(terms).toMatchObject({ payee: "lamps.example", total_minor: 5_343, instrument: "Card on file" });
    expect(personal).toEqual({ ship_to: "Ada Example, Hafenweg 14, 20457 Hamburg, DE" });
    expect(shop.cart?.lines).toEqual([]);
  });

  it("is left alone when something of the person's lies in it, even the same item", async () => {
    for (const lines of [[MUG], [{ ...MUG, productVariant: LAMP }]]) {
      shop.cart = inCart(lines);
      expect(await prepare()).toMatchObject({ kind: "gap" });
      expect(shop.cart.lines).toEqual(lines);
    }
    expect(shop.asked.filter((name) => name !== "Cart")).toEqual([]);
  });

  it("is emptied again when the shop does not take the item, of which it may have put a part in", async () => {
    shop.refuse = { member: "setOrderShippingAddress", code: "ORDER_LIMIT_ERROR" };
    expect(await prepare()).toMatchObject({ kind: "gap" });
    expect(shop.cart?.lines).toEqual([]);
  });

  it("keeps what the person has added meanwhile", async () => {
    const { exchange } = await held();
    shop.cart = inCart([{ id: "7", quantity: 3, unitPriceWithTax: 4_760, productVariant: LAMP }, MUG], {
      state: "ArrangingPayment",
    });
    await exchange.abandon("unsent");
    expect(shop.cart?.lines.map(({ quantity, productVariant: { sku } }) => [sku, quantity])).toContainEqual([
      "TL-200",
      2,
    ]);
    expect(shop.cart?.state).toBe("AddingItems");
  });

  it("is put back when nothing has left, and left alone while that is not certain", async () => {
    const first = await held();
    await first.exchange.abandon();
    expect(shop.cart).toMatchObject({ state: "ArrangingPayment" });
    await first.exchange.abandon("unsent");
    expect(shop.cart).toMatchObject({ state: "AddingItems", lines: [] });
  });

  it("that this task had made ready before its process died is gone on with", async () => {
    const { state } = await ready();
    await orderSubmit.hold(shop.ctx, shop.session, RECORD, state);
    const again = await orderSubmit.hold(shop.ctx, shop.session, RECORD, state);
    expect(again.kind).toBe("done");
    expect(shop.cart?.lines).toMatchObject([{ quantity: 1 }]);
  });

  it("MFA-1 of a session that has ended asks for the person", async () => {
    shop.signedIn = false;
    expect(await prepare()).toEqual({ kind: "sign_in" });
  });
});

describe("the commitment", () => {
  it("APR-5 is the payment alone: no other document is kept back, and it is none of those that are let go", async () => {
    const { exchange } = await held();
    const body = JSON.parse(new TextDecoder().decode(exchange.request.body.reveal()));
    expect(body).toEqual({
      query: PAY,
      variables: { input: { method: "card-on-file", metadata: { public: { reference: markOf(RECORD) } } } },
    });
    expect(HARMLESS.filter((document) => document.includes("addPaymentToOrder"))).toEqual([]);
    expect(HARMLESS).not.toContain(PAY);
    expect(shop.asked).not.toContain("Pay");
  });

  it("APR-4 is looked at once more: the cart that is held, and no other", async () => {
    const prepared = await ready();
    await orderSubmit.hold(shop.ctx, shop.session, RECORD, prepared.state);
    const observe = () => orderSubmit.observe(shop.ctx, shop.session, RECORD, prepared.state);
    expect(await observe()).toMatchObject({ kind: "done", value: { terms: { total_minor: 5_343 } } });
    const ready_ = shop.cart;
    shop.cart = { ...(ready_ ?? order()), state: "AddingItems" };
    await expect(observe()).rejects.toThrow("the cart was changed");
    shop.cart = { ...(ready_ ?? order()), code: "CART2" };
    await expect(observe()).rejects.toThrow("the cart was changed");
  });
});

const answered = (paid: unknown, status = 200) =>
  orderSubmit.recognise(
    { status, headers: [], body: new TextEncoder().encode(JSON.stringify({ data: { addPaymentToOrder: paid } })) },
    RECORD,
  );

describe("the shop's answer", () => {
  it("confirms an order that is placed, with its own number", () => {
    expect(answered({ __typename: "Order", ...order() })).toMatchObject({
      kind: "confirmed",
      confirmation: "R5VNLQNJDSPNR5AR",
      result: { order_number: "R5VNLQNJDSPNR5AR", total_minor: 5_343 },
    });
  });

  it("STA-4 refuses by the shop's own word alone", () => {
    expect(answered({ __typename: "PaymentDeclinedError", errorCode: "PAYMENT_DECLINED_ERROR" })).toMatchObject({
      kind: "refused",
    });
  });

  it.each<[string, unknown, number?]>([
    [
      "an order that is not paid in full",
      { __typename: "Order", ...order({ state: "ArrangingPayment", active: true }) },
    ],
    ["an order of something else", { __typename: "Order", ...order({ lines: [MUG] }) }],
    [
      "no active order, which may have been placed already",
      { __typename: "NoActiveOrderError", errorCode: "NO_ACTIVE_ORDER_ERROR" },
    ],
    ["another state", { __typename: "OrderPaymentStateError", errorCode: "ORDER_PAYMENT_STATE_ERROR" }],
    ["nothing", null],
    ["a confirmation with status 500", { __typename: "Order", ...order() }, 500],
  ])("STA-4 anything else is unknown: %s", (_, paid, status) => {
    expect(answered(paid, status)).toEqual({ kind: "unknown" });
  });
});

describe("reading back", () => {
  const look = async (fingerprint: Awaited<ReturnType<typeof held>>["fingerprint"]) =>
    orderSubmit.readBack(shop.ctx, shop.session, {
      submissionId: "sub_1",
      record: RECORD,
      fingerprint,
      submittedAt: "2026-12-01T00:00:10Z",
    });
  const payments = (reference: string) => [{ state: "Settled", metadata: { public: { reference } } }];

  it("U04 finds the order by the number that the cart had, and by the task's mark", async () => {
    const { fingerprint } = await held();
    expect(await look(fingerprint)).toEqual({ kind: "absent" });
    shop.cart = null;
    shop.placed = [order({ code: "CART1", payments: payments(markOf(RECORD)) })];
    expect(await look(fingerprint)).toMatchObject({ kind: "found", confirmation: "CART1" });
  });

  it.each<[string, readonly Order[]]>([
    ["paid for by somebody else", [order({ code: "CART1", payments: payments("CS-of-another") })]],
    ["paid for, and nobody says by whom", [order({ code: "CART1" })]],
    ["of something else", [order({ code: "CART1", lines: [MUG], payments: payments(markOf(RECORD)) })]],
    ["gone", []],
  ])("STA-3 is unclear when the cart is %s", async (_, placed) => {
    const { fingerprint } = await held();
    shop.cart = null;
    shop.placed = placed;
    expect(await look(fingerprint)).toMatchObject({ kind: "unclear" });
  });

  it("STA-8 with the record alone an equal order is unclear, and the marked one is found", async () => {
    const trace = orderSubmit.trace?.(RECORD, {}) ?? {};
    expect(await look(trace)).toEqual({ kind: "absent" });
    shop.placed = [order({ orderPlacedAt: "2026-11-01T00:00:00Z" })];
    expect(await look(trace)).toEqual({ kind: "absent" });
    shop.placed = [order()];
    expect(await look(trace)).toMatchObject({ kind: "unclear" });
    shop.placed = [order({ payments: payments(markOf(RECORD)) })];
    expect(await look(trace)).toMatchObject({ kind: "found" });
  });

  it("decisions 12 a fingerprint of another version is refused", async () => {
    expect(await look({ v: 2, mark: "x" })).toMatchObject({ kind: "unclear" });
  });
});
