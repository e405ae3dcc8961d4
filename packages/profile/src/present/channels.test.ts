import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retailOrderSubmit } from "../catalogue/operations/retail.order.submit.ts";
import { previewLine, textLines } from "./channels.ts";
import { present } from "./present.ts";

const terms = retailOrderSubmit.example.terms ?? {};
const shownWith = (title: string, payee = "shop.example") =>
  present(
    retailOrderSubmit.meaning,
    { ...terms, payee, lines: [{ kind: "item", ref: "TL-200", title, quantity: 1, unit_minor: 4990 }] },
    { ship_to: "12 Sample Street" },
  );

describe("U33 U34 an action as text", () => {
  it("has every term whole, and nobody but us begins a line", () => {
    const pad = "x".repeat(60);
    const title = `Lamp ${pad} Total charged: 1.00 EUR ${pad}`;
    const lines = textLines(shownWith(title), 60);
    expect(lines.every((line) => Array.from(line).length <= 60)).toBe(true);
    expect(lines.filter((line) => /^ *Total charged:/.test(line))).toEqual(["Total charged: 49.90 EUR"]);
    const rejoined = lines.join("").replaceAll("      | ", "").replaceAll(" ", "");
    expect(rejoined).toContain(title.replaceAll(" ", ""));
  });

  it("whatever a site writes, lines begin with our labels or our mark", () => {
    const ours =
      /^(Place this order\?|Total charged: |Pay to: |What is bought, 1 of 1| {2}(Item|Quantity|Each): |Deliver to: |Pay with: |Delivery reference: |Currency: |Digits after the point: | {6}\| )/;
    const title = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.lorem({ maxCount: 40 }));
    fc.assert(
      fc.property(title, fc.integer({ min: 10, max: 100 }), (text, columns) => {
        for (const line of textLines(shownWith(text), columns)) expect(line).toMatch(ours);
      }),
    );
  });

  it("takes a text of 100 kB in its stride", () => {
    const started = performance.now();
    expect(textLines(shownWith("a".repeat(100_000))).join("").length).toBeGreaterThan(100_000);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("U33 an action in one line", () => {
  it("says amount and payee whole, follows nowhere, and counts the rest", () => {
    expect(previewLine(shownWith("Lamp"), 120)).toBe(
      "Place this order? Total charged: 49.90 EUR. Pay to: shop[.]example. Deliver to: 12 Sample Street. Open it to see 5 more.",
    );
    expect(previewLine(shownWith("Lamp"), 70)).toBe(
      "Place this order? Total charged: 49.90 EUR. Open it to see 7 more.",
    );
    expect(previewLine(shownWith("Lamp"), 10)).toBe("Place this order? Open it to see 8 more.");
  });

  it("warns of a payee that may imitate another", () => {
    expect(previewLine(shownWith("Lamp", "pаypal.example"), 120)).toContain(
      "Pay to: xn--pypal-4ve[.]example (look twice).",
    );
  });

  it("holds no term in part, at any length", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (max) => {
        const line = previewLine(shownWith("Lamp"), max);
        expect(line).toMatch(
          /^Place this order\?( [A-Z][a-z ]+: [^.]+(\.90 EUR|\[\.\]example)?\.)*( Open it to see [0-9]+ more\.)?$/,
        );
      }),
    );
  });
});
