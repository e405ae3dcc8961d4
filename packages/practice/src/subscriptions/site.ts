import type { Site } from "../site/site.ts";
import { lanternApiRoutes } from "./api/routes.ts";
import { lanternApiSignedIn, refuseLantern } from "./api/wire.ts";
import { lanternAssetRoutes } from "./pages/assets.ts";
import { cancelRoutes } from "./pages/cancel.ts";
import { lanternNotice } from "./pages/layout.ts";
import { planRoutes } from "./pages/plan.ts";
import { lanternSignInPage, lanternSignInRoutes } from "./pages/sign-in.ts";
import { subscriptionRoutes } from "./pages/subscriptions.ts";
import type { LanternWorld } from "./world.ts";

/** The practice subscription service, for the machinery that all practice sites share. */
export const lanternSite: Site<LanternWorld> = {
  routes: [
    ...lanternSignInRoutes,
    ...subscriptionRoutes,
    ...cancelRoutes,
    ...planRoutes,
    ...lanternAssetRoutes,
    ...lanternApiRoutes,
  ],
  signInPath: "/sign-in",
  home: { href: "/subscriptions", link: "Your subscriptions" },
  apiSignedIn: lanternApiSignedIn,
  refuseApi: refuseLantern,
  signInPage: (world, exchange) => lanternSignInPage(world, exchange, { status: 200, next: "/subscriptions" }),
  notice: lanternNotice,
  // Each commit has a counter of its own, raised when it takes place.
  countSubmit: () => {},
};
