import { describe, expect, it } from "vitest";
import { retailOrderSubmit } from "../catalogue/operations/retail.order.submit.ts";
import { subscriptionCancel } from "../catalogue/operations/subscription.cancel.ts";
import { displayText, present } from "./present.ts";

const terms = retailOrderSubmit.example.terms ?? {};

describe("what the person is shown", () => {
  it("APR-1 an order's text has every material term", () => {
    expect(displayText(retailOrderSubmit.meaning, terms, { ship_to: "12 Sample Street" })).toBe(
      [
        "Place this order?",
        "Total charged: 49.90 EUR",
        "Pay to: shop.example",
        "What is bought, 1 of 2",
        "  Item: Trail Lamp 200",
        "  Quantity: 1",
        "  Each: 44.90 EUR",
        "What is bought, 2 of 2",
        "  Item: Delivery",
        "  Quantity: 1",
        "  Each: 5.00 EUR",
        "Deliver to: 12 Sample Street",
        "Pay with: card ending 4242",
        "Delivery reference: delivery_demo",
        "Currency: EUR",
        "Digits after the point: 2",
      ].join("\n"),
    );
  });

  it("APR-1 another operation is shown by its own meaning, with no money in it", () => {
    const text = displayText(subscriptionCancel.meaning, subscriptionCancel.example.terms ?? {}, {});
    expect(text).toContain("Cancel this subscription?");
    expect(text).toContain("Ends on: 2026-12-31");
    expect(text).not.toMatch(/Total|EUR/);
  });

  it.each([
    ["a bidi override", "Lamp\u202Egnp.exe", "[U+202E]"],
    ["a zero-width space", "La\u200Bmp", "[U+200B]"],
    ["a tag character", "Lamp\u{E0100}", "[U+E0100]"],
    ["a line break", "Lamp\nTotal charged: 1.00 EUR", "[U+000A]"],
  ])("APR-1 (U30-U33) %s in a site's text is shown as what it is", (_name, title, shown) => {
    const lines = [{ kind: "item", ref: "TL-200", title, quantity: 1, unit_minor: 4990 }];
    expect(displayText(retailOrderSubmit.meaning, { ...terms, lines }, {})).toContain(shown);
  });

  it("APR-1 (U31) a host that mixes or encodes scripts carries a warning", () => {
    const payee = present(retailOrderSubmit.meaning, { ...terms, payee: "xn--shp-nla.example" }, {}).fields.find(
      (f) => f.member === "payee",
    );
    expect(payee?.value.warning).toBeDefined();
  });

  it("APR-1 amount, payee and items stand on the first screen", () => {
    const shown = present(retailOrderSubmit.meaning, terms, {});
    expect(shown.fields.filter((f) => f.place < 100).map((f) => f.member)).toEqual([
      "total_minor",
      "payee",
      "ship_to",
      "instrument",
    ]);
    expect(shown.lists.every((l) => l.place < 100)).toBe(true);
  });
});
