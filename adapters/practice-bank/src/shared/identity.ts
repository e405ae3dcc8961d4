import type { AccountIdentity } from "@countersign/plugin";

/** The account in the bank's own words (lessons U44), the same by either route; of the number only its end is shown. */
export function identityOf(name: string, customerNumber: string): AccountIdentity {
  return { name: `${name} (customer ending ${customerNumber.slice(-4)})`, key: customerNumber, details: [] };
}
