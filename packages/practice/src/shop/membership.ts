import type { Membership } from "./model.ts";
import type { World } from "./world.ts";

export interface Cancellation {
  readonly reference: string;
  readonly cancelledAtMs: number;
  readonly endsAtMs: number;
}

/** Ends the membership with what is paid. The caller has made sure it is still active. */
export function cancelMembership(world: World): Cancellation {
  const reference = `MC-${Buffer.from(world.random(4)).toString("hex").toUpperCase()}`;
  const cancellation = { reference, cancelledAtMs: world.now(), endsAtMs: world.state.membership.paidUntilMs };
  world.state.membership = { ...world.state.membership, cancellation };
  return cancellation;
}

/** What the person pays a month now: half once the offer was taken. */
export function monthlyMinor(membership: Membership): number {
  return membership.offerTakenAtMs === undefined ? membership.priceMinor : Math.ceil(membership.priceMinor / 2);
}

/** What cancelling brings about, in the shop's words. */
export const CANCELLATION_CONSEQUENCES: readonly string[] = [
  "Member prices and free returns stay until that day.",
  "No further payments are taken.",
  "There is no refund for the days left.",
];
