import { type SiteCounters, zeroSiteCounters } from "../site/world.ts";

/** What happened at the shop since it opened or was reset; `submits` are those of all three commits. */
export interface Counters extends SiteCounters {
  orderSubmits: number;
  cancelSubmits: number;
  orderCancelSubmits: number;
  /** Orders placed through a commit endpoint. */
  orders: number;
  /** Payments that the bank wanted confirmed after the order had arrived. */
  verifications: number;
  /** Wrong codes of the bank's. */
  wrongCodes: number;
  /** Memberships cancelled through a commit endpoint. */
  cancels: number;
  /** Orders called off through a commit endpoint. */
  orderCancels: number;
  /** Retention offers taken. */
  offersTaken: number;
}

export function zeroCounters(): Counters {
  return {
    ...zeroSiteCounters(),
    orderSubmits: 0,
    cancelSubmits: 0,
    orderCancelSubmits: 0,
    orders: 0,
    verifications: 0,
    wrongCodes: 0,
    cancels: 0,
    orderCancels: 0,
    offersTaken: 0,
  };
}
