import { apiRoutes } from "../api/routes.ts";
import { apiSignedIn, refuseApi } from "../api/wire.ts";
import { accountRoutes } from "../pages/account.ts";
import { assetRoutes } from "../pages/assets.ts";
import { cartRoutes } from "../pages/cart.ts";
import { catalogueRoutes } from "../pages/catalogue.ts";
import { checkoutRoutes } from "../pages/checkout.ts";
import { noticePage } from "../pages/layout.ts";
import { membershipRoutes } from "../pages/membership.ts";
import { orderCancelRoutes } from "../pages/order-cancel.ts";
import { orderRoutes } from "../pages/orders.ts";
import { signInPage, signInRoutes } from "../pages/sign-in.ts";
import { verificationRoutes } from "../pages/verification.ts";
import { wishlistRoutes } from "../pages/wishlist.ts";
import type { Site } from "../site/site.ts";
import type { World } from "./world.ts";

/** The practice shop, for the machinery that all practice sites share. */
export const shopSite: Site<World> = {
  routes: [
    ...catalogueRoutes,
    ...signInRoutes,
    ...cartRoutes,
    ...checkoutRoutes,
    ...verificationRoutes,
    ...orderRoutes,
    ...orderCancelRoutes,
    ...wishlistRoutes,
    ...membershipRoutes,
    ...accountRoutes,
    ...assetRoutes,
    ...apiRoutes,
  ],
  signInPath: "/sign-in",
  home: { href: "/", link: "Back to the shop" },
  apiSignedIn,
  refuseApi,
  signInPage: (world, exchange) => signInPage(world, exchange, { status: 200, next: "/" }),
  notice: noticePage,
  countSubmit(world, commit) {
    const { counters } = world.state;
    if (commit === "order") counters.orderSubmits += 1;
    else if (commit === "order_cancellation") counters.orderCancelSubmits += 1;
    else counters.cancelSubmits += 1;
  },
};
