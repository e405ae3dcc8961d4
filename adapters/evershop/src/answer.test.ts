import type { ActionRecord } from "@countersign/profile";
import { describe, expect, test } from "vitest";
import { recogniseOrder } from "./answer.ts";

const data = {
  order_number: "10001",
  uuid: "u",
  sid: "session-like",
  currency: "USD",
  grand_total: "37.0000",
  total_qty: 2,
};
const record = {
  parameters: { item_ref: "accessories/cup", quantity: 2, fulfillment_ref: "acd_home" },
} as unknown as ActionRecord;
const answer = (status: number, body: unknown) => ({
  status,
  headers: [],
  body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
});
const failure = (message: string) => answer(500, { error: { status: 500, message } });

describe("STA-3 only what is positively recognised is confirmed or refused", () => {
  test("an order with its number, total and currency is confirmed, and nothing else of the answer goes on", () => {
    const charged = { currency: "USD", total_minor: 3700 };
    expect(recogniseOrder(answer(200, { data }), record)).toEqual({
      kind: "confirmed",
      confirmation: "10001",
      result: { order_number: "10001", ...charged },
      observed: charged,
    });
  });

  test.each([
    ["Order validation failed: Billing address is required", "the shop was given no billing address"],
    ["Order validation failed: Cart is empty\r\n-- Shipping method is required", "the shop's cart was empty"],
  ])("%j is a refusal", (message, why) => {
    expect(recogniseOrder(failure(message), record)).toEqual({ kind: "refused", why });
  });

  test.each([
    ["a finer total", answer(200, { data: { ...data, grand_total: "37.0050" } })],
    ["a number for a total", answer(200, { data: { ...data, grand_total: 37 } })],
    ["another currency", answer(200, { data: { ...data, currency: "CAD" } })],
    ["no order number", answer(200, { data: { ...data, order_number: null } })],
    ["another order's quantity", answer(200, { data: { ...data, total_qty: 1 } })],
    ["no quantity", answer(200, { data: { ...data, total_qty: undefined } })],
    ["no data", answer(200, {})],
    ["no JSON", answer(200, "<h1>Thank you</h1>")],
    ["two members of one name", answer(200, '{"data":{},"data":{"order_number":"10001"}}')],
    ["created", answer(201, { data })],
    ["a redirect", answer(302, "")],
    ["the cart is gone, as a second sending finds it", failure("Cart not found")],
    ["a failure after the writing", failure("connect ECONNREFUSED")],
    ["a known reason beside an unknown one", failure("Order validation failed: Cart is empty\r\n-- Other")],
    ["a check that broke", failure("Order validation failed: Cart is empty (exception occurred)")],
    ["a refusal under another status", answer(400, { error: { message: "Order validation failed: Cart is empty" } })],
    ["too many requests", answer(429, { error: { status: 429, message: "Too many requests" } })],
    ["a gateway in between", answer(502, "Bad gateway")],
  ])("%s is unknown", (_, given) => {
    expect(recogniseOrder(given, record)).toEqual({ kind: "unknown" });
  });
});
