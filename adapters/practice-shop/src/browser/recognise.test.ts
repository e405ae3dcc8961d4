import type { Answer } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { orderSubmit } from "./order-submit.ts";
import { subscriptionCancel } from "./subscription-cancel.ts";

const ORIGIN = "https://shop.example";
const record = {
  route: { kind: "browser", origin: ORIGIN, adapter: "practice-shop/0.1.0" },
  parameters: {},
  terms: { currency: "EUR", total_minor: 4990 },
} as unknown as ActionRecord;

const answer = (status: number, headers: Readonly<Record<string, string>>, body = ""): Answer => ({
  status,
  headers: Object.entries(headers),
  body: new TextEncoder().encode(body),
});
const page = (status: number, heading: string) =>
  answer(status, { "Content-Type": "text/html; charset=utf-8" }, `<main><h1>${heading}</h1></main>`);

const STATUSES = [200, 201, 204, 301, 302, 303, 307, 400, 402, 403, 404, 408, 409, 410, 422, 429, 500, 502, 503, 504];

describe("the shop's answer to an order", () => {
  it.each(["/orders/HH-20433/confirmed", `${ORIGIN}/orders/HH-20433/confirmed`])("303 to %s confirms", (location) => {
    expect(orderSubmit.recognise(answer(303, { Location: location }), record)).toEqual({
      kind: "confirmed",
      confirmation: "HH-20433",
      result: { order_number: "HH-20433", currency: "EUR", total_minor: 4990 },
    });
  });

  it.each([
    "/orders",
    "/sign-in",
    "/orders/HH-20433",
    "/orders/HH-/confirmed",
    "/orders/HH-1/confirmed/2",
    "https://other.example/orders/HH-20433/confirmed",
    "//other.example/orders/HH-20433/confirmed",
    "",
  ])("303 to %s does not", (location) => {
    expect(orderSubmit.recognise(answer(303, { location }), record)).toEqual({ kind: "unknown" });
  });

  it("two places to go confirm nothing", () => {
    const headers: Answer["headers"] = [
      ["location", "/orders/HH-1/confirmed"],
      ["location", "/orders/HH-2/confirmed"],
    ];
    expect(orderSubmit.recognise({ ...answer(303, {}), headers }, record)).toEqual({ kind: "unknown" });
  });

  it("the shop's own refusal refuses, in this status and this form only", () => {
    const heading = "Your order was not placed";
    expect(orderSubmit.recognise(page(422, heading), record)).toMatchObject({ kind: "refused" });
    expect(orderSubmit.recognise(page(200, heading), record)).toEqual({ kind: "unknown" });
    expect(orderSubmit.recognise(page(409, "Your cart is empty"), record)).toEqual({ kind: "unknown" });
    const json = answer(422, { "content-type": "application/json" }, `{"a":"<h1>${heading}</h1>"}`);
    expect(orderSubmit.recognise(json, record)).toEqual({ kind: "unknown" });
  });

  it.each(STATUSES)("STA-4 (U08) a bare %i is neither", (status) => {
    for (const given of [answer(status, {}), page(status, `${status} Error`)]) {
      expect(orderSubmit.recognise(given, record)).toEqual({ kind: "unknown" });
      expect(subscriptionCancel.recognise(given, record)).toEqual({ kind: "unknown" });
    }
  });
});

describe("the shop's answer to a cancellation", () => {
  it("its own refusal refuses; the way back to the membership tells no reference and is read back", () => {
    const refusal = page(422, "Your membership was not cancelled");
    expect(subscriptionCancel.recognise(refusal, record)).toMatchObject({ kind: "refused" });
    expect(subscriptionCancel.recognise(answer(303, { location: "/membership" }), record)).toEqual({ kind: "unknown" });
  });
});
