import type { AccountIdentity } from "@countersign/plugin";

/** Somebody's way to pay, as the provider lists it. */
export interface Method {
  readonly id: string;
  readonly label: string;
}

/** The account in the provider's own words (lessons U44), the same by either route; of the number only its end is shown. */
export function identityOf(name: string, customerNumber: string, methods: readonly Method[]): AccountIdentity {
  return {
    name: `${name} (customer ending ${customerNumber.slice(-4)})`,
    key: customerNumber,
    details: methods.map(({ id, label }) => ({ kind: "instrument" as const, siteKey: id, label, value: {} })),
  };
}
