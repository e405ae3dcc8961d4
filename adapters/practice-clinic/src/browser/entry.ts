import type { BrowserSite } from "@countersign/route-browser";
import { identityOf } from "../shared/identity.ts";
import { appointmentBook } from "./appointment-book.ts";
import { appointmentsList, readAppointments } from "./appointments.ts";
import { billsList, claimsList } from "./bills.ts";

/** The practice clinic through its pages. */
export const browserEntry: BrowserSite = {
  route: "browser",
  signIn: { path: "/sign-in?next=/appointments" },
  async identify(_ctx, session) {
    const seen = await readAppointments(session);
    return seen.ok ? identityOf(seen.value.patient, seen.value.patientNumber) : undefined;
  },
  operations: [appointmentsList, billsList, claimsList, appointmentBook],
};
