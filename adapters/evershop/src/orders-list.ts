import type { ReadAdapter } from "@countersign/plugin";
import type { BrowserSession } from "@countersign/route-browser";
import type { JsonObject } from "@countersign/wire";
import { orderRow, readHistory, readOrder } from "./history.ts";

/** Newest first; what was bought stands on each order's own page alone. */
export const ordersList: ReadAdapter<JsonObject, JsonObject, BrowserSession> = {
  effect: "read",
  operation: "retail.orders.list",
  async read(ctx, session, params) {
    ctx.progress("orders", "Reading the shop's list of orders");
    const history = await readHistory(session);
    if (!history.ok) return history.reason;
    const orders: JsonObject[] = [];
    for (const row of history.value.toReversed().slice(0, Number(params["limit"]))) {
      const order = await readOrder(session, row);
      if (!order.ok) return order.reason;
      orders.push(orderRow(order.value));
    }
    return { kind: "done", result: { orders } };
  },
};
