import { expect, it } from "vitest";
import { type ItemLook, itemOf } from "./item-page.ts";

const lamp: ItemLook = {
  heading: "Trail Lamp 200",
  status: "",
  paragraphs: ["€44.90", "200 lumens."],
  sku: "TL-200",
  variants: [],
  quantityMax: 99,
  isSignedIn: true,
};
const bottle: ItemLook = {
  ...lamp,
  heading: "Steel Bottle 750 ml",
  sku: "WB-750-SAGE",
  variants: [
    { sku: "WB-750-SAGE", name: "Sage" },
    { sku: "WB-750-INK", name: "Ink" },
  ],
};

it("an item is read as the page shows it", () => {
  expect(itemOf(lamp, "TL-200")).toMatchObject({
    ok: true,
    value: { title: "Trail Lamp 200", currency: "EUR", unitMinor: 4_490, isAvailable: true, quantityMax: 99 },
  });
  expect(itemOf(bottle, "WB-750-INK")).toMatchObject({ value: { title: "Steel Bottle 750 ml, Ink" } });
});

it("what is sold out can be looked at and not be had", () => {
  const seen = itemOf({ ...lamp, status: "Sold out. We do not know yet when it returns.", quantityMax: 0 }, "TL-200");
  expect(seen).toMatchObject({ ok: true, value: { isAvailable: false } });
});

it("MFA-1 a page that is shown to everybody is not the account's", () => {
  expect(itemOf({ ...lamp, isSignedIn: false }, "TL-200")).toEqual({ ok: false, reason: { kind: "sign_in" } });
});

it("a product in variants is none of them", () => {
  expect(itemOf(bottle, "WB-750")).toMatchObject({ ok: false, reason: { kind: "gap" } });
});

it.each([
  { ...lamp, heading: "We do not have this" },
  { ...lamp, sku: "CK-1" },
])("another page has nothing of that name", (seen) => {
  expect(itemOf(seen, "TL-200")).toEqual({ ok: true, value: "elsewhere" });
});

it.each<Partial<ItemLook>>([
  { paragraphs: ["€44.90"] },
  { paragraphs: ["44.90", "200 lumens."] },
  { paragraphs: ["€44.90", "200 lumens.", "Only today: €39.00"] },
  { quantityMax: 0 },
])("what cannot be read is trouble: %o", (change) => {
  expect(() => itemOf({ ...lamp, ...change }, "TL-200")).toThrow();
});
