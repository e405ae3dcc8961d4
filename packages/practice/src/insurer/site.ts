import { type Exchange, isSignedIn } from "../http/exchange.ts";
import type { Site } from "../site/site.ts";
import { insurerApiRoutes } from "./api/routes.ts";
import { refuseInsurer } from "./api/wire.ts";
import { claimsAssetRoutes } from "./claims/assets.ts";
import { frameNotice } from "./claims/layout.ts";
import { stepRoutes } from "./claims/steps.ts";
import { insurerAssetRoutes } from "./pages/assets.ts";
import { claimRoutes } from "./pages/claims.ts";
import { coverRoutes } from "./pages/cover.ts";
import { insurerNotice } from "./pages/layout.ts";
import { signInPage, signInRoutes } from "./pages/sign-in.ts";
import type { InsurerWorld } from "./world.ts";

/** The practice insurer's portal and API, for the machinery that all practice sites share. */
export const insurerSite: Site<InsurerWorld> = {
  routes: [...signInRoutes, ...coverRoutes, ...claimRoutes, ...insurerAssetRoutes, ...insurerApiRoutes],
  signInPath: "/sign-in",
  home: { href: "/cover", link: "Your cover" },
  apiSignedIn: isSignedIn,
  refuseApi: (error) => refuseInsurer(error),
  signInPage: (world, exchange: Exchange) => signInPage(world, exchange, { status: 200, next: "/cover" }),
  notice: insurerNotice,
  // The one commit is counted by the sum.
  countSubmit: () => {},
};

/** The claims company, at an origin of its own: its form stands in a frame of the portal's. */
export const claimsCompanySite: Site<InsurerWorld> = {
  routes: [...stepRoutes, ...claimsAssetRoutes],
  // It has no sign-in: the portal's ticket is all that it knows.
  signInPath: "/start",
  home: { href: "/start", link: "Begin again" },
  apiSignedIn: () => false,
  refuseApi: (error) => refuseInsurer(error),
  signInPage: (world) => frameNotice(world, 401, "You are signed out", "Sign in at Fairhaven again. Nothing was sent."),
  notice: (world, _exchange, notice) => frameNotice(world, notice.status, notice.title, notice.text),
  countSubmit: () => {},
};
