import type { AccountIdentity } from "@countersign/plugin";

/** The account in the clinic's own words (lessons U44), the same by either route; of the number only its end is shown. */
export function identityOf(name: string, patientNumber: string): AccountIdentity {
  return { name: `${name} (patient ending ${patientNumber.slice(-4)})`, key: patientNumber, details: [] };
}
