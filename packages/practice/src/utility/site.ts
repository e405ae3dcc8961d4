import type { Site } from "../site/site.ts";
import { utilityDataRoutes } from "./api/routes.ts";
import { refuseUtility } from "./api/wire.ts";
import { hasKey } from "./keys.ts";
import { utilityAssetRoutes } from "./pages/assets.ts";
import { billPdf } from "./pages/bill-pdf.ts";
import { shell, utilityNotice } from "./pages/layout.ts";
import { utilitySignIn, utilitySignInRoutes } from "./pages/sign-in.ts";
import type { UtilityRoute } from "./route.ts";
import type { UtilityWorld } from "./world.ts";

/** Every address of the single page; the script knows what each of them shows. */
const VIEWS = [
  "/",
  "/bills",
  "/bills/:bill",
  "/bills/:bill/pay",
  "/usage",
  "/contracts",
  "/contracts/:contract/autopay",
  "/check/:draft",
  "/payments",
  "/payments/:number",
  "/settings",
];

const views: readonly UtilityRoute[] = VIEWS.map((path) => ({
  method: "GET",
  path,
  access: "signed_in",
  handle: shell,
}));

/** Northlight, for the machinery that all practice sites share. */
export const utilitySite: Site<UtilityWorld> = {
  routes: [
    ...utilitySignInRoutes,
    ...views,
    { method: "GET", path: "/bills/:bill/bill.pdf", access: "signed_in", handle: billPdf },
    ...utilityAssetRoutes,
    ...utilityDataRoutes,
  ],
  signInPath: "/sign-in",
  home: { href: "/", link: "Overview" },
  apiSignedIn: hasKey,
  refuseApi: refuseUtility,
  signInPage: (world, exchange) => utilitySignIn(world, exchange, { status: 200, next: "/" }),
  notice: utilityNotice,
  // Each commit is counted by what came of it.
  countSubmit: () => {},
};
