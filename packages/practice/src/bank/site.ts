import type { Site } from "../site/site.ts";
import { bankApiRoutes } from "./api/routes.ts";
import { bankApiSignedIn, refuseBank } from "./api/wire.ts";
import { oauthRoutes } from "./oauth/authorize.ts";
import { accountRoutes } from "./pages/accounts.ts";
import { bankAssetRoutes } from "./pages/assets.ts";
import { bankNotice } from "./pages/layout.ts";
import { loginPage, loginRoutes } from "./pages/login.ts";
import { paymentRoutes } from "./pages/payments.ts";
import type { BankWorld } from "./world.ts";

/** The practice bank, for the machinery that all practice sites share. */
export const bankSite: Site<BankWorld> = {
  routes: [...loginRoutes, ...accountRoutes, ...paymentRoutes, ...bankAssetRoutes, ...oauthRoutes, ...bankApiRoutes],
  signInPath: "/login",
  home: { href: "/accounts", link: "Your accounts" },
  apiSignedIn: bankApiSignedIn,
  refuseApi: refuseBank,
  signInPage: (world, exchange) => loginPage(world, exchange, { status: 200, next: "/accounts" }),
  notice: bankNotice,
  // The one commit is counted by the sum.
  countSubmit: () => {},
};
