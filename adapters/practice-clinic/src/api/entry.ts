import { bodyOf, type HttpSite } from "@countersign/route-http";
import { identityOf } from "../shared/identity.ts";
import { appointmentBook } from "./appointment-book.ts";
import { appointmentsList, billsList, claimsList } from "./reads.ts";
import { patientShape } from "./shapes.ts";
import { signIn } from "./sign-in.ts";

/** The practice clinic by its API: patient number and password, then the person's phone. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn,
  async identify(_ctx, session) {
    const patient = bodyOf(await session.fetch("/api/patient"), 200, patientShape);
    return patient.ok ? identityOf(patient.value.name, patient.value.patient_number) : undefined;
  },
  operations: [appointmentsList, billsList, claimsList, appointmentBook],
};
