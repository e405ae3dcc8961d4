import { SiteTrouble } from "@countersign/plugin";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskEmail, nameOf } from "./account.ts";
import { cartOf, holdsOnly } from "./cart-page.ts";
import { readCheckout, readOther } from "./checkout-page.ts";
import { historyOf } from "./history.ts";
import { readMinor, storedMinor } from "./money.ts";
import { readProduct } from "./product-page.ts";
import { readSummary, type SummaryLook, unitMinor } from "./summary.ts";
import { purchaseTermsOf, readProductState } from "./terms.ts";
import { addressText, productPath, readAddress } from "./wish.ts";

const row = (...texts: readonly string[]) => ({ texts, hasForm: false, isTotal: false });
const total = (text: string) => ({
  texts: ["Total", "(", "Inclusive of tax $0.00", ")", text],
  hasForm: false,
  isTotal: true,
});
const item = { quantity: "2", title: "Ceramic Coffee Cup - White", options: ["Color: White"], total: "$30.00" };
const look: SummaryLook = {
  items: [item],
  rows: [
    row("Sub total", "$30.00"),
    { texts: ["Apply"], hasForm: true, isTotal: false },
    row("Shipping (Standard)", "$5.00"),
    total("$35.00"),
  ],
};
const value = {
  full_name: "Ada Example",
  telephone: "2025550147",
  address_1: "1 Main Street",
  city: "Springfield",
  province: "Illinois",
  postcode: "62701",
  country: "United States",
};
const wish = { itemRef: "accessories/ceramic-coffee-cup-white", quantity: 2, fulfillmentRef: "delivery_1" };
const product = { title: "Ceramic Coffee Cup - White", sku: "CUP-001-WHT", options: ["Color: White"] };

describe("amounts", () => {
  test.each([
    ["$35.00", 3500],
    ["$1,234.50", 123450],
    ["$0.00", 0],
  ])("%j is %i cents", (text, minor) => expect(readMinor(text)).toBe(minor));

  test.each(["35.00", "€35.00", "$35.005", "-$5.00", "$", "US$5.00", "", "$1.234,50", "$5.00 each"])(
    "%j is refused",
    (text) => expect(() => readMinor(text)).toThrow(SiteTrouble),
  );

  test("a stored amount is read exactly or not at all", () => {
    fc.assert(
      fc.property(fc.nat(), (minor) => {
        const digits = String(minor).padStart(3, "0");
        expect(storedMinor(`${digits.slice(0, -2)}.${digits.slice(-2)}00`)).toBe(minor);
      }),
    );
    for (const text of ["37.0001", "37.00", "037.0000", "-1.0000", "1e3", " 37.0000", 37, undefined])
      expect(storedMinor(text)).toBeUndefined();
  });
});

describe("the order summary", () => {
  test("gives lines, delivery and total", () => {
    expect(readSummary(look)).toEqual({
      lines: [{ title: item.title, options: item.options, quantity: 2, totalMinor: 3000 }],
      shipping: { title: "Standard", minor: 500 },
      totalMinor: 3500,
    });
  });

  test.each<[string, SummaryLook]>([
    [
      "a discount",
      {
        ...look,
        rows: [
          row("Sub total", "$30.00"),
          row("Discount", "-$5.00"),
          row("Shipping (Standard)", "$5.00"),
          total("$30.00"),
        ],
      },
    ],
    ["a fee after the total", { ...look, rows: [...look.rows, row("Fee", "$1.00")] }],
    [
      "no delivery chosen",
      { ...look, rows: [row("Sub total", "$30.00"), row("Shipping", "Select shipping method"), total("$30.00")] },
    ],
    [
      "a total that is no sum",
      { ...look, rows: [row("Sub total", "$30.00"), row("Shipping (Standard)", "$5.00"), total("$36.00")] },
    ],
    ["lines that are no sub total", { ...look, items: [item, item] }],
    ["no items", { ...look, items: [] }],
    ["an item without a name", { ...look, items: [{ ...item, title: "" }] }],
    ["half an item", { ...look, items: [{ ...item, quantity: "1.5" }] }],
    ["nothing", { items: [], rows: [] }],
  ])("with %s is not read", (_, seen) => expect(() => readSummary(seen)).toThrow(SiteTrouble));

  test("REQ-1 a unit price is exact or refused", () => {
    expect(unitMinor({ title: "Cup", options: [], quantity: 3, totalMinor: 3000 })).toBe(1000);
    expect(() => unitMinor({ title: "Cup", options: [], quantity: 3, totalMinor: 1000 })).toThrow(SiteTrouble);
  });
});

describe("terms", () => {
  const address = readAddress(value);
  const checkout = () => {
    if (address === undefined) throw new Error("the address is whole");
    return readCheckout({ summary: look, address, street2: "", note: "" });
  };

  test("the address is personal text and stands nowhere in the terms", () => {
    const observed = purchaseTermsOf("https://shop.example", checkout(), wish);
    expect(observed.personal).toEqual({
      ship_to: "Ada Example, 1 Main Street, Springfield, Illinois 62701, United States, 2025550147",
    });
    expect(JSON.stringify(observed.terms)).not.toContain("Main Street");
    expect(observed.terms).toEqual({
      payee: "shop.example",
      currency: "USD",
      minor_digits: 2,
      total_minor: 3500,
      lines: [
        { kind: "item", ref: wish.itemRef, title: item.title, quantity: 2, unit_minor: 1500 },
        { kind: "delivery", ref: "standard", title: "Standard", quantity: 1, unit_minor: 500 },
      ],
      instrument: "Cash On Delivery",
      fulfillment_ref: "delivery_1",
    });
  });

  test("a note that the cart carries is among the terms", () => {
    expect(purchaseTermsOf("https://shop.example", { ...checkout(), note: "ring twice" }, wish).terms.note).toBe(
      "ring twice",
    );
  });

  test("a second line of the street shows", () => {
    if (address === undefined) throw new Error("the address is whole");
    expect(addressText(address, "Flat 9")).toContain("1 Main Street, Flat 9, ");
  });

  test("a total of another delivery is not read", () => {
    if (address === undefined) throw new Error("the address is whole");
    const rows = [row("Sub total", "$30.00"), row("Shipping (Express)", "$5.00"), total("$35.00")];
    expect(() => readCheckout({ summary: { ...look, rows }, address, street2: "", note: "" })).toThrow(SiteTrouble);
  });

  test("another address than was typed is shown for what it is, and half of one is trouble", () => {
    if (address === undefined) throw new Error("the address is whole");
    const other = { summary: look, address: { ...address, city: "Shelbyville" }, street2: "", note: "" };
    expect(readOther(other).shipTo).toContain("Shelbyville");
    for (const member of Object.keys(address))
      expect(() => readOther({ ...other, address: { ...address, [member]: "" } })).toThrow(SiteTrouble);
  });

  test.each(Object.keys(value))("an address without %s is none", (member) => {
    expect(readAddress({ ...value, [member]: " " })).toBeUndefined();
    expect(readAddress({ ...value, [member]: "two\nlines" })).toBeUndefined();
    expect(readAddress({ ...value, [member]: 7 })).toBeUndefined();
  });

  test("state of another version is refused, not guessed", () => {
    expect(readProductState({ v: 2, ...product }).ok).toBe(false);
    expect(readProductState({ v: 1, ...product })).toEqual({ ok: true, value: product });
  });
});

describe("item references", () => {
  test("name a product's page", () => expect(productPath(wish.itemRef)).toBe("/accessories/ceramic-coffee-cup-white"));

  test.each([
    "account/logout",
    "api/carts",
    "CUP-001-WHT",
    "cup",
    "a/../account",
    "a//b",
    "a/b/",
    "admin/x",
    "a/b:c",
    "a/b@c",
    "A/b",
  ])("%j is none", (text) => expect(productPath(text)).toBeUndefined());
});

describe("product, cart, account", () => {
  const seen = {
    hasForm: true,
    title: product.title,
    facts: [
      { term: "SKU", text: product.sku },
      { term: "Color", text: "White" },
    ],
    choices: [{ name: "Color", values: ["White", "Black"] }],
  };
  const inCart = {
    path: `/${wish.itemRef}`,
    title: product.title,
    facts: ["SKU CUP-001-WHT", "Color: White"],
    quantity: "2",
  };

  test("a product has one SKU", () => {
    expect(readProduct(seen)).toEqual(product);
    expect(() => readProduct({ ...seen, facts: [] })).toThrow(SiteTrouble);
    expect(() => readProduct({ ...seen, facts: [...seen.facts, { term: "SKU", text: "X" }] })).toThrow(SiteTrouble);
  });

  test("a cart of the wanted line alone is told from every other", () => {
    const held = (rows: readonly (typeof inCart)[]) =>
      holdsOnly(cartOf({ isEmpty: rows.length === 0, rows }), wish, product);
    expect(held([inCart])).toBe(true);
    expect(held([])).toBe(false);
    expect(held([inCart, inCart])).toBe(false);
    expect(held([{ ...inCart, quantity: "3" }])).toBe(false);
    expect(held([{ ...inCart, path: "/accessories/other" }])).toBe(false);
    expect(held([{ ...inCart, facts: ["SKU CUP-001-BLK", "Color: White"] }])).toBe(false);
    expect(held([{ ...inCart, facts: ["SKU CUP-001-WHT", "Color: Black"] }])).toBe(false);
  });

  test("a page that is neither a cart nor an empty one is not read", () => {
    expect(() => cartOf({ isEmpty: false, rows: [] })).toThrow(SiteTrouble);
    expect(() => cartOf({ isEmpty: false, rows: [{ ...inCart, facts: [] }] })).toThrow(SiteTrouble);
  });

  test("the account is named, its e-mail address masked", () => {
    expect(nameOf(["Ada Example"], ["ada@example.com"])).toBe("Ada Example (a…@example.com)");
    expect(() => nameOf([], ["ada@example.com"])).toThrow(SiteTrouble);
    expect(() => nameOf(["Ada", "Bob"], ["ada@example.com"])).toThrow(SiteTrouble);
    expect(maskEmail("nobody")).toBeUndefined();
  });
});

describe("history", () => {
  const order = {
    path: "/account/orders/47708bd4-f073-4f23-b517-17000c147a37",
    name: "Order #10001",
    marks: ["Pending", "New", "$35.00"],
  };

  test("gives number, page, state and total", () => {
    expect(historyOf({ isEmpty: false, rows: [order] })).toEqual([
      { number: "10001", path: order.path, status: "Pending, New", totalMinor: 3500 },
    ]);
    expect(historyOf({ isEmpty: true, rows: [] })).toEqual([]);
  });

  test.each([
    ["a page that says neither", { isEmpty: false, rows: [] }],
    ["an order twice", { isEmpty: false, rows: [order, order] }],
    ["another's page", { isEmpty: false, rows: [{ ...order, path: "/account/logout" }] }],
    ["no number", { isEmpty: false, rows: [{ ...order, name: "Order" }] }],
    ["no total", { isEmpty: false, rows: [{ ...order, marks: ["Pending"] }] }],
  ])("%s is not read", (_, seen) => expect(() => historyOf(seen)).toThrow(SiteTrouble));
});
