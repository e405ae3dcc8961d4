import { instant } from "@countersign/wire";
import { expect, it } from "vitest";
import { type ShopItem, watchResult } from "./item.ts";

const lamp: ShopItem = {
  sku: "TL-200",
  title: "Trail Lamp 200",
  description: "",
  currency: "EUR",
  unitMinor: 3900,
  isAvailable: true,
};
const asked = { item_ref: "TL-200", at_most_minor: 3900, currency: "EUR" };
const ctx = { now: () => instant(0) };

it.each<[string, Partial<ShopItem>, boolean]>([
  ["at the price", {}, true],
  ["below it", { unitMinor: 3899 }, true],
  ["above it", { unitMinor: 3901 }, false],
  ["sold out", { isAvailable: false, unitMinor: 1 }, false],
  ["in another currency", { currency: "JPY", unitMinor: 39 }, false],
])("a watch is met by what can be had for the price: %s", (_what, change, met) => {
  expect(watchResult(ctx, { ...lamp, ...change }, asked)).toMatchObject({ met });
});
