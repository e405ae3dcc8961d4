import { type JsonObject, type ReadAdapter, SiteTrouble } from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { ask } from "./ask.ts";
import { ORDERS } from "./documents.ts";
import { itemRef } from "./item-get.ts";
import { PAGE_ORDERS, PAGES_MAX } from "./limits.ts";
import { type Order, ordersShape } from "./shapes.ts";

/** The customer's orders, newest first; a cart is none. */
export const ordersList: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "retail.orders.list",
  async read(_ctx, session, params) {
    const limit = Number(params["limit"]);
    const orders: JsonObject[] = [];
    for (let page = 0; page < PAGES_MAX && orders.length < limit; page += 1) {
      const take = Math.min(limit - orders.length, PAGE_ORDERS);
      const asked = { take, skip: page * PAGE_ORDERS };
      const { activeCustomer } = await ask(session, ORDERS, asked, ordersShape);
      if (activeCustomer === null) return { kind: "sign_in" };
      const { items } = activeCustomer.orders;
      orders.push(...items.map(rowOf));
      if (items.length < take) break;
    }
    return { kind: "done", result: { orders } };
  },
};

function rowOf(order: Order): JsonObject {
  if (order.totalWithTax < 0 || order.lines.some((line) => line.unitPriceWithTax < 0))
    throw new SiteTrouble("the shop shows an amount below nothing");
  return {
    order_number: order.code,
    ...(order.orderPlacedAt === null ? {} : { placed_at: order.orderPlacedAt }),
    status: order.state,
    currency: order.currencyCode,
    total_minor: order.totalWithTax,
    // A line that was cancelled stays in the order with nothing of it.
    lines: order.lines
      .filter((line) => line.quantity > 0)
      .map((line) => ({
        ref: itemRef(line.productVariant.product.slug, line.productVariant.sku),
        title: line.productVariant.name,
        quantity: line.quantity,
        unit_minor: line.unitPriceWithTax,
      })),
  };
}
