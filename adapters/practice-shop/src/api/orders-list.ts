import type { ReadAdapter } from "@countersign/plugin";
import type { HttpSession } from "@countersign/route-http";
import type { JsonObject } from "@countersign/wire";
import { orderRow } from "../shared/orders.ts";
import { ordersAnswer, readAnswer, shopOrder } from "./shapes.ts";

export const ordersList: ReadAdapter<JsonObject, JsonObject, HttpSession> = {
  effect: "read",
  operation: "retail.orders.list",
  async read(_ctx, session, params) {
    const answer = readAnswer(await session.call({ method: "GET", path: "/api/v1/orders" }), ordersAnswer, 200);
    if (answer === "signed_out") return { kind: "sign_in" };
    const orders = answer.orders.slice(0, Number(params["limit"])).map((order) => orderRow(shopOrder(order)));
    return { kind: "done", result: { orders } };
  },
};
