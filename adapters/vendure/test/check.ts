import { type AdapterCheck, type CheckSite, detailRef } from "@countersign/adapter-kit";
import { type NewCustomer, startVendure } from "../../../tools/vendure/shop.ts";
import { shopperAt } from "../../../tools/vendure/shopper.ts";
import { vendure } from "../src/index.ts";

// `countersign adapter check adapters/vendure`: the Shop API of a real Vendure, started for it, through every fault. The
// first time it is installed into the cache folder (tools/vendure).

const ORDER = "retail.order.submit";
const PRICE = { sku: "TL-200", minor: 4_000, dearerMinor: 4_500 } as const;
const customer: NewCustomer = {
  firstName: "Ada",
  lastName: "Example",
  email: "ada@example.com",
  password: "correct-horse-9",
  street: "Hafenweg 14",
  city: "Hamburg",
  postalCode: "20457",
};

/** The shop's id of the one address of the one customer. */
const ADDRESS = "1";

async function open(): Promise<CheckSite> {
  const shop = await startVendure();
  await shop.addCustomer(customer);
  // Those of before a reset are nobody's act, and so are those that the person places elsewhere.
  const others = new Set<string>();
  const onPhone = async () => shopperAt(shop.origin, customer);
  return {
    origin: shop.origin,
    person: () => [{ email: customer.email, password: customer.password }],
    personal: () => [customer.street],
    async reset() {
      await shop.setPrice(PRICE.sku, PRICE.minor);
      await (await onPhone()).emptyCart();
      for (const { code } of await shop.orders()) others.add(code);
    },
    async fault(name, operation) {
      switch (name) {
        case "changed_terms":
          await shop.setPrice(PRICE.sku, PRICE.dearerMinor);
          return operation === ORDER;
        case "ended_session":
          await shop.endSessions();
          return true;
        default:
          return false;
      }
    },
    async effects(operation) {
      if (operation !== ORDER) return [];
      const own = (await shop.orders()).filter(({ code }) => !others.has(code));
      return own.map(({ code, totalMinor, items: [item] }) => ({
        ref: code,
        facts: { item_ref: item?.ref ?? "", quantity: item?.quantity ?? 0, total_minor: totalMinor },
      }));
    },
    async elsewhere(operation, which) {
      if (operation !== ORDER) return false;
      others.add(await (await onPhone()).buy(which === "equal" ? "trail-lamp-200" : "enamel-mug", 1));
      return true;
    },
    close: () => shop.stop(),
  };
}

const wish = {
  quantity: 1,
  max_total_minor: 20_000,
  currency: "USD",
  fulfillment_ref: detailRef("fulfillment", ADDRESS),
};

export const check: AdapterCheck = {
  site: vendure,
  route: "http",
  open,
  operations: [
    { operation: "retail.orders.list", params: { limit: 3 } },
    { operation: "retail.item.get", params: { item_ref: "trail-lamp-200/TL-200" } },
    {
      operation: ORDER,
      params: { ...wish, item_ref: "trail-lamp-200/TL-200" },
      other: { ...wish, item_ref: "enamel-mug/EM-100" },
    },
  ],
};
