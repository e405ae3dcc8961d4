import type { ReadAdapter } from "@countersign/plugin";
import type { BrowserSession } from "@countersign/route-browser";
import type { JsonObject } from "@countersign/wire";
import { orderRow } from "../shared/order.ts";
import { readOrders } from "./orders-page.ts";

export const ordersList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "retail.orders.list",
  async read(_ctx, session, params) {
    const orders = await readOrders(session);
    if (!orders.ok) return orders.reason;
    return { kind: "done", result: { orders: orders.value.slice(0, Number(params["limit"])).map(orderRow) } };
  },
};
