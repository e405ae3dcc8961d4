import { describe, expect, it } from "vitest";
import { type CheckoutLook, readCheckout } from "./checkout-page.ts";

const HEAD = ["Item", "SKU", "Quantity", "Unit price", "Amount"];
const LINE = ["Trail Lamp 200", "TL-200", "2", "€44.90", "€89.80"];
const FOOT = [
  ["Subtotal", "€89.80"],
  ["Standard delivery", "€5.00"],
  ["Total", "€94.80"],
];
const TABLE = { caption: "Order summary", head: HEAD, body: [LINE], foot: FOOT };
const CHOICES = [
  { group: "delivery", id: "standard", checked: true, text: "Standard delivery, €5.00", detail: "3 to 5 days" },
  { group: "delivery", id: "express", checked: false, text: "Express delivery, €9.90", detail: "next day" },
  { group: "address", id: "home", checked: true, text: "Home", detail: "14 Harbour Street" },
  { group: "instrument", id: "card-4242", checked: true, text: "Card ending 4242", detail: "Alex" },
];
const LOOK: CheckoutLook = { heading: "Checkout", choices: CHOICES, note: "", tables: [TABLE] };

const withTable = (change: Partial<typeof TABLE>): CheckoutLook => ({ ...LOOK, tables: [{ ...TABLE, ...change }] });

describe("the shop's checkout page", () => {
  it("APR-2 is read as it stands", () => {
    expect(readCheckout({ ...LOOK, note: "Ring twice" })).toEqual({
      currency: "EUR",
      lines: [{ sku: "TL-200", title: "Trail Lamp 200", quantity: 2, unitMinor: 4490 }],
      delivery: { id: "standard", title: "Standard delivery", priceMinor: 500 },
      totalMinor: 9480,
      address: { id: "home", text: "14 Harbour Street" },
      instrument: { id: "card-4242", label: "Card ending 4242" },
      note: "Ring twice",
    });
  });

  it.each<[string, CheckoutLook]>([
    ["another page", { ...LOOK, heading: "We will be right back" }],
    ["no summary", { ...LOOK, tables: [] }],
    ["two summaries", { ...LOOK, tables: [TABLE, TABLE] }],
    ["other columns", withTable({ head: [...HEAD, "Tax"] })],
    ["no items", withTable({ body: [] })],
    ["a row too short", withTable({ body: [LINE.slice(1)] })],
    ["a row too long", withTable({ body: [[...LINE, "€1.00"]] })],
    ["an amount that is not quantity times price", withTable({ body: [LINE.with(4, "€89.70")] })],
    ["a subtotal that is not the sum", withTable({ body: [LINE, LINE] })],
    ["a fee between the known rows", withTable({ foot: [...FOOT.slice(0, 2), ["Fee", "€1.00"], ["Total", "€95.80"]] })],
    ["a row after the total", withTable({ foot: [...FOOT, ["Deposit", "€1.00"]] })],
    ["a total that is not the sum", withTable({ foot: FOOT.with(2, ["Total", "€94.79"]) })],
    ["a total in another currency", withTable({ foot: FOOT.with(2, ["Total", "£94.80"]) })],
    ["a summary of another delivery than the chosen", withTable({ foot: FOOT.with(1, ["Express delivery", "€5.00"]) })],
    ["no chosen card", { ...LOOK, choices: CHOICES.filter((each) => each.group !== "instrument") }],
    ["two chosen deliveries", { ...LOOK, choices: CHOICES.map((each) => ({ ...each, checked: true })) }],
    ["an address without its text", { ...LOOK, choices: CHOICES.map((each) => ({ ...each, detail: "" })) }],
  ])("U27 with %s it is not read at all", (_, look) => {
    expect(() => readCheckout(look)).toThrow(expect.objectContaining({ name: "SiteTrouble" }));
  });
});
