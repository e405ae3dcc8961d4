import type { Attempt } from "@countersign/plugin/site";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import type { ShopOrder } from "../shared/order.ts";
import { ordersShape } from "./shapes.ts";

export const ORDERS = "/api/v1/orders";

/** All orders of the account, newest first. */
export async function readOrders(session: HttpSession): Promise<Attempt<readonly ShopOrder[]>> {
  return bodyOf(await session.fetch(ORDERS), 200, ordersShape);
}
