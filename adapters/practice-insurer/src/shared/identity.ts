import type { AccountIdentity } from "@countersign/plugin";

/** The account in the insurer's own words (lessons U44), the same by either route; of the number only its end is shown. */
export function identityOf(name: string, memberNumber: string): AccountIdentity {
  return { name: `${name} (member ending ${memberNumber.slice(-4)})`, key: memberNumber, details: [] };
}
