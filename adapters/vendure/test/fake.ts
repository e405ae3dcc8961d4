import type { Ctx, JsonObject } from "@countersign/plugin/site";
import type { HttpInit, HttpSession } from "@countersign/route-http";
import { CART, ITEM, ORDER_BY_CODE, ORDERS, SHIPPING } from "../src/documents.ts";
import type { Order } from "../src/shapes.ts";

// A cart in memory that answers as Vendure was seen to, for what has to be tried without the engine.

export const ADDRESS = {
  id: "1",
  fullName: "Ada Example",
  company: "",
  streetLine1: "Hafenweg 14",
  streetLine2: "",
  city: "Hamburg",
  province: "",
  postalCode: "20457",
  country: { code: "DE", name: "Germany" },
};

export const LAMP = { sku: "TL-200", name: "Trail Lamp 200", product: { slug: "trail-lamp-200" } };

export function order(change: Partial<Order> = {}): Order {
  return {
    code: "R5VNLQNJDSPNR5AR",
    state: "PaymentSettled",
    active: false,
    orderPlacedAt: "2026-12-01T00:00:00.000Z",
    currencyCode: "USD",
    totalWithTax: 5_343,
    lines: [{ id: "7", quantity: 1, unitPriceWithTax: 4_760, productVariant: LAMP }],
    shippingLines: [{ discountedPriceWithTax: 583, shippingMethod: { id: "1", code: "parcel", name: "Parcel" } }],
    shippingAddress: {
      fullName: "Ada Example",
      streetLine1: "Hafenweg 14",
      city: "Hamburg",
      postalCode: "20457",
      countryCode: "DE",
    },
    discounts: [],
    surcharges: [],
    payments: [],
    ...change,
  };
}

export interface FakeShop {
  readonly session: HttpSession;
  readonly ctx: Ctx;
  cart: Order | null;
  placed: readonly Order[];
  signedIn: boolean;
  /** The next request that does this is answered by the shop's own refusal. */
  refuse: { readonly member: string; readonly code: string } | undefined;
  /** Operations that were asked, by the names of their documents. */
  readonly asked: string[];
}

export function fakeShop(): FakeShop {
  const empty = (code: string): Order =>
    order({
      code,
      state: "AddingItems",
      active: true,
      orderPlacedAt: null,
      lines: [],
      shippingLines: [],
      totalWithTax: 0,
    });
  const shop: FakeShop = {
    session: {
      kind: "http",
      origin: "https://lamps.example",
      fetch: async (_path, init) => ({ kind: "answer", status: 200, json: { data: answer(init) } }),
      hold: async (_path, init, putBack) => ({
        request: {
          method: "POST",
          url: "https://lamps.example/shop-api",
          headers: [],
          body: { reveal: () => new TextEncoder().encode(JSON.stringify(init.body)) } as never,
        },
        answer: async () => {},
        abandon: async (fate) => {
          if (fate === "unsent") await putBack?.();
        },
      }),
    },
    ctx: {
      signal: new AbortController().signal,
      progress: () => {},
      log: { debug() {}, info() {}, warn() {}, error() {} },
      detail: async (ref: string) => (ref === "det_home" ? { kind: "fulfillment", siteKey: "1" } : undefined),
    } as unknown as Ctx,
    cart: null,
    placed: [],
    signedIn: true,
    refuse: undefined,
    asked: [],
  };

  function answer(init: HttpInit | undefined): JsonObject {
    const { query, variables } = (init?.body ?? {}) as { query: string; variables: JsonObject };
    const name = /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? "";
    shop.asked.push(name);
    const customer = shop.signedIn ? { id: "1", addresses: [ADDRESS] } : null;
    const listed = (items: readonly Order[]) => (shop.signedIn ? { id: "1", orders: { items } } : null);
    if (query === CART)
      return json({
        activeCustomer: customer,
        activeOrder: shop.cart,
        eligiblePaymentMethods: [{ code: "card-on-file", name: "Card on file", isEligible: true }],
      });
    if (query === ORDER_BY_CODE)
      return json({
        activeCustomer: listed(
          [...shop.placed, ...(shop.cart === null ? [] : [shop.cart])].filter(({ code }) => code === variables["code"]),
        ),
      });
    if (query === ORDERS) return json({ activeCustomer: listed(shop.placed) });
    if (query === SHIPPING)
      return json({ eligibleShippingMethods: [{ id: "1", code: "parcel", name: "Parcel", priceWithTax: 583.1 }] });
    if (query === ITEM)
      return json({
        activeCustomer: customer,
        product: {
          slug: "trail-lamp-200",
          description: "<p>A lamp.</p>",
          variants: [
            {
              id: "1",
              sku: "TL-200",
              name: "Trail Lamp 200",
              priceWithTax: 4_760,
              currencyCode: "USD",
              stockLevel: "IN_STOCK",
            },
          ],
        },
      });
    return change(name, variables);
  }

  function change(name: string, variables: JsonObject): JsonObject {
    const members: Readonly<Record<string, string>> = {
      Add: "addItemToOrder",
      TakeOut: "removeOrderLine",
      Leave: "adjustOrderLine",
      Address: "setOrderShippingAddress",
      ShipBy: "setOrderShippingMethod",
      ToPayment: "transitionOrderToState",
      ToCart: "transitionOrderToState",
    };
    const member = members[name] ?? "";
    if (shop.refuse?.member === member)
      return json({ [member]: { __typename: "Refused", errorCode: shop.refuse.code } });
    const cart = shop.cart ?? empty("CART1");
    const quantity = Number(variables["quantity"]);
    const [line] = cart.lines;
    const withLine = (lines: Order["lines"]): Order => ({ ...cart, lines });
    if (name === "Add")
      shop.cart = withLine([
        { id: "7", quantity: quantity + (line?.quantity ?? 0), unitPriceWithTax: 4_760, productVariant: LAMP },
      ]);
    if (name === "TakeOut")
      shop.cart = {
        ...withLine(cart.lines.filter(({ id }) => id !== variables["id"])),
        shippingLines: [],
        totalWithTax: 0,
      };
    if (name === "Leave") shop.cart = withLine(cart.lines.map((each) => ({ ...each, quantity })));
    if (name === "ShipBy") {
      const shippingLines = order().shippingLines;
      shop.cart = { ...cart, shippingLines, totalWithTax: 583 + 4_760 * (line?.quantity ?? 0) };
    }
    if (name === "ToPayment") shop.cart = { ...cart, state: "ArrangingPayment" };
    if (name === "ToCart") shop.cart = { ...cart, state: "AddingItems" };
    return json({ [member]: { __typename: "Order" } });
  }
  return shop;
}

const json = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
