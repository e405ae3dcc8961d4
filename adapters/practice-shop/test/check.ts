import type { AdapterCheck, CheckSite } from "@countersign/adapter-kit";
import { detailRef } from "@countersign/adapter-kit";
import { practiceShop } from "../src/index.ts";
import { openShop } from "./harness.ts";

// `countersign adapter check adapters/practice-shop`: the shop's API, through every fault.

const ORDER = "retail.order.submit";
const CANCEL = "subscription.cancel";
const ORDER_CANCEL = "retail.order.cancel";
/** Two orders that can be cancelled, placed anew at each reset. */
const TO_CANCEL = { wished: "HH-900001", other: "HH-900002" } as const;
const FEE_MINOR = 150;
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
  const elsewhere = new Set<string>();
  const reset = (): void => {
    elsewhere.clear();
    control.reset();
    for (const number of Object.values(TO_CANCEL)) control.placeOrderElsewhere({ sku: "CK-1", quantity: 1, number });
    before = new Set(control.orders().map((order) => order.number));
  };
  const cancelled = () =>
    control.orders().flatMap(({ number, cancellation }) => {
      if (cancellation === undefined || elsewhere.has(number)) return [];
      const { reference, refundMinor, keptMinor } = cancellation;
      return [{ ref: reference, facts: { order_number: number, refund_minor: refundMinor, kept_minor: keptMinor } }];
    });
  return {
    origin: shop.origin,
    now: () => shop.clock.nowMs,
    person: () => [{ email: shop.user.email, password: shop.user.password }, { code: shop.currentCode() }],
    personal: () => ["14 Harbour Street"],
    reset,
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          if (operation === ORDER_CANCEL) control.cancelFee(FEE_MINOR);
          else control.total(DEARER_MINOR);
          return operation === ORDER || operation === ORDER_CANCEL;
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
      if (operation === ORDER_CANCEL) return cancelled();
      const own = control.orders().filter((order) => !before.has(order.number) && !elsewhere.has(order.number));
      return own.toReversed().map((order) => {
        const [line] = order.lines;
        const facts = { item_ref: line?.sku ?? "", quantity: line?.quantity ?? 0, total_minor: order.totalMinor };
        return { ref: order.number, facts };
      });
    },
    elsewhere(operation, which) {
      // One order is cancelled once: there is no second act that equals the first.
      if (operation === ORDER_CANCEL && which === "other")
        elsewhere.add(control.cancelOrderElsewhere(TO_CANCEL.other).number);
      if (operation === ORDER_CANCEL) return which === "other";
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
    { operation: "retail.item.get", params: { item_ref: "TL-200" } },
    { operation: "retail.wishlist.list", params: { limit: 3 } },
    {
      operation: "retail.deal.watch",
      params: { item_ref: "TL-200", at_most_minor: 4_000, currency: CURRENCY, watch_ends_at: "2026-12-24T12:00:00Z" },
    },
    {
      operation: ORDER_CANCEL,
      params: { order_number: TO_CANCEL.wished, max_kept_minor: 500, currency: CURRENCY },
      other: { order_number: TO_CANCEL.other, max_kept_minor: 500, currency: CURRENCY },
    },
    { operation: CANCEL, params: { subscription_ref: "membership" } },
  ],
};
