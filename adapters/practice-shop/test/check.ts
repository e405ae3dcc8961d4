import type { AdapterCheck, CheckSite } from "@countersign/adapter-kit";
import { detailRef } from "@countersign/adapter-kit";
import { practiceShop } from "../src/index.ts";
import { openShop } from "./harness.ts";

// `countersign adapter check adapters/practice-shop`: the shop's API, through every fault.

const ORDER = "retail.order.submit";
const CANCEL = "subscription.cancel";
const CURRENCY = "EUR";
const DEARER_MINOR = 250;
const wish = {
  quantity: 1,
  max_total_minor: 20_000,
  currency: CURRENCY,
  fulfillment_ref: detailRef("fulfillment", "home"),
};

async function open(): Promise<CheckSite> {
  const shop = await openShop();
  const { control } = shop;
  // The shop keeps its history: what was there before a reset's orders is nobody's act.
  let before = new Set<string>();
  const reset = (): void => {
    control.reset();
    before = new Set(control.orders().map((order) => order.number));
  };
  const elsewhere = new Set<string>();
  return {
    origin: shop.origin,
    now: () => shop.clock.nowMs,
    person: () => [{ email: shop.user.email, password: shop.user.password }, { code: shop.currentCode() }],
    personal: () => ["14 Harbour Street"],
    reset,
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          control.total(DEARER_MINOR);
          return operation === ORDER;
        case "ended_session":
          control.endSession();
          return true;
        case "second_factor":
          control.verifyPayment({ times: 1 });
          return operation === ORDER;
        default:
          return false;
      }
    },
    verification: () => ({ code: control.bankCode() ?? "" }),
    effects(operation) {
      if (operation === CANCEL) return Array.from({ length: control.counters().cancels }, () => ({ facts: {} }));
      const own = control.orders().filter((order) => !before.has(order.number) && !elsewhere.has(order.number));
      return own.toReversed().map((order) => {
        const [line] = order.lines;
        const facts = { item_ref: line?.sku ?? "", quantity: line?.quantity ?? 0, total_minor: order.totalMinor };
        return { ref: order.number, facts };
      });
    },
    elsewhere(operation, which) {
      if (operation !== ORDER) return false;
      elsewhere.add(control.placeOrderElsewhere({ sku: which === "equal" ? "TL-200" : "CK-1", quantity: 1 }).number);
      return true;
    },
    close: () => shop.close(),
  };
}

export const check: AdapterCheck = {
  site: practiceShop,
  route: "http",
  open,
  operations: [
    { operation: "retail.orders.list", params: { limit: 3 } },
    { operation: ORDER, params: { ...wish, item_ref: "TL-200" }, other: { ...wish, item_ref: "CK-1" } },
    { operation: CANCEL, params: { subscription_ref: "membership" } },
  ],
};
