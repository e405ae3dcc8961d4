import type { Site } from "../site/site.ts";
import { clinicApiRoutes } from "./api/routes.ts";
import { clinicApiSignedIn, refuseClinic } from "./api/wire.ts";
import { touchClinic } from "./idle.ts";
import { appointmentRoutes } from "./pages/appointments.ts";
import { clinicAssetRoutes } from "./pages/assets.ts";
import { billRoutes } from "./pages/bills.ts";
import { bookingRoutes } from "./pages/booking.ts";
import { clinicNotice } from "./pages/layout.ts";
import { clinicSignInPage, clinicSignInRoutes } from "./pages/sign-in.ts";
import type { ClinicWorld } from "./world.ts";

/** The practice clinic, for the machinery that all practice sites share. */
export const clinicSite: Site<ClinicWorld> = {
  routes: [
    ...clinicSignInRoutes,
    ...appointmentRoutes,
    ...bookingRoutes,
    ...billRoutes,
    ...clinicAssetRoutes,
    ...clinicApiRoutes,
  ],
  signInPath: "/sign-in",
  home: { href: "/appointments", link: "Your appointments" },
  apiSignedIn: clinicApiSignedIn,
  refuseApi: refuseClinic,
  touch: touchClinic,
  signInPage: (world, exchange) => clinicSignInPage(world, exchange, { status: 200, next: "/appointments" }),
  notice: clinicNotice,
  // The one commit is counted by the sum.
  countSubmit: () => {},
};
