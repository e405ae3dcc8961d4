import { type AdapterCheck, detailRef } from "@countersign/adapter-kit";
import { assert } from "@countersign/wire";
import { type CheckedShop, cup, ORDER, openShop } from "../../../tools/evershop/check-site.ts";
import { evershop } from "../src/index.ts";

// `countersign adapter check adapters/evershop`: the real shop's pages, started for it, in a real Chromium. The first time
// the shop is installed into the cache folder (tools/evershop). It takes some minutes: each step goes through the pages.

let opened: CheckedShop | undefined;
const wish = {
  item_ref: cup.path,
  max_total_minor: 20_000,
  currency: "USD",
  fulfillment_ref: detailRef("fulfillment", "home"),
};

export const check: AdapterCheck = {
  site: evershop,
  route: "browser",
  makeRoute() {
    assert(opened !== undefined, "the shop is opened first");
    return opened.makeRoute();
  },
  async open() {
    opened = await openShop();
    return opened;
  },
  entered: [
    {
      kind: "fulfillment",
      siteKey: "home",
      label: "Home",
      value: {
        full_name: "Ada Example",
        telephone: "2025550147",
        address_1: "1 Main Street",
        city: "Springfield",
        province: "Illinois",
        postcode: "62701",
        country: "United States",
      },
    },
  ],
  operations: [
    { operation: "retail.orders.list", params: { limit: 3 } },
    { operation: ORDER, params: { ...wish, quantity: 2 }, other: { ...wish, quantity: 1 } },
  ],
};
