import type { AccountIdentity } from "@countersign/plugin";

export interface Profile {
  readonly name: string;
  /** As the shop shows it, masked. */
  readonly email: string;
  readonly addresses: readonly { readonly id: string; readonly label: string; readonly text: string }[];
  readonly instruments: readonly { readonly id: string; readonly label: string }[];
}

/** The account in the shop's own words (lessons U44), the same by either route, so that a row keeps its ref. */
export function identityOf(profile: Profile): AccountIdentity {
  return {
    name: `${profile.name} (${profile.email})`,
    details: [
      ...profile.addresses.map(({ id, label, text }) => ({
        kind: "fulfillment" as const,
        siteKey: id,
        label,
        value: { text },
      })),
      ...profile.instruments.map(({ id, label }) => ({ kind: "instrument" as const, siteKey: id, label, value: {} })),
    ],
  };
}
