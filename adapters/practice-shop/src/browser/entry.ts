import type { BrowserSite } from "@countersign/route-browser";
import { identityOf } from "../shared/identity.ts";
import { readProfile } from "./account-page.ts";
import { dealWatch, itemGet, wishlistList } from "./items.ts";
import { orderCancel } from "./order-cancel.ts";
import { orderSubmit } from "./order-submit.ts";
import { ordersList } from "./orders-list.ts";
import { subscriptionCancel } from "./subscription-cancel.ts";

/** The practice shop through its pages. */
export const browserEntry: BrowserSite = {
  route: "browser",
  signIn: { path: "/sign-in?next=/account" },
  async identify(_ctx, session) {
    const profile = await readProfile(session);
    return profile.ok ? identityOf(profile.value) : undefined;
  },
  operations: [ordersList, itemGet, wishlistList, dealWatch, orderSubmit, orderCancel, subscriptionCancel],
};
