import { bodyOf, type HttpSite } from "@countersign/route-http";
import { identityOf } from "../shared/identity.ts";
import { dealWatch, itemGet, wishlistList } from "./items.ts";
import { orderCancel } from "./order-cancel.ts";
import { orderSubmit } from "./order-submit.ts";
import { ordersList } from "./orders-list.ts";
import { profileShape } from "./shapes.ts";
import { signIn } from "./sign-in.ts";
import { subscriptionCancel } from "./subscription-cancel.ts";

/** The practice shop by its API. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn,
  async identify(_ctx, session) {
    const profile = bodyOf(await session.fetch("/api/v1/me"), 200, profileShape);
    return profile.ok ? identityOf(profile.value) : undefined;
  },
  operations: [ordersList, itemGet, wishlistList, dealWatch, orderSubmit, orderCancel, subscriptionCancel],
};
