import type { BrowserSite } from "@countersign/route-browser";
import { readIdentity } from "./account.ts";
import { orderSubmit } from "./order-submit.ts";
import { ordersList } from "./orders-list.ts";

/** An EverShop store through its pages; the shop's own API and its GraphQL are the pages' alone (decisions.md 17). */
export const browserEntry: BrowserSite = {
  route: "browser",
  signIn: { path: "/account/login" },
  identify: (_ctx, session) => readIdentity(session),
  operations: [ordersList, orderSubmit],
};
