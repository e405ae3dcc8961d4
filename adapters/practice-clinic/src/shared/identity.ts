import { createHash } from "node:crypto";
import type { AccountIdentity } from "@countersign/plugin";

/**
 * The account in the clinic's own words (lessons U44), the same by either route. Of the patient number only its end is
 * shown, and what is compared is a digest: a number by which a patient is known has no place in an account's row.
 */
export function identityOf(name: string, patientNumber: string): AccountIdentity {
  const key = createHash("sha256").update(`practice-clinic patient/1\n${patientNumber}`).digest("base64url");
  return { name: `${name} (patient ending ${patientNumber.slice(-4)})`, key, details: [] };
}
