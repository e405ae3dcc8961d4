/** What happened at the shop since it opened or was reset. */
export interface Counters {
  /** POSTs that reached a commit endpoint, whatever became of them: `orderSubmits` + `cancelSubmits`. */
  submits: number;
  orderSubmits: number;
  cancelSubmits: number;
  /** Orders placed through a commit endpoint. */
  orders: number;
  /** Payments that the bank wanted confirmed after the order had arrived. */
  verifications: number;
  /** Wrong codes of the bank's. */
  wrongCodes: number;
  /** Memberships cancelled through a commit endpoint. */
  cancels: number;
  /** Retention offers taken. */
  offersTaken: number;
  /** Sign-ins completed with both factors, pages and API together. */
  signIns: number;
  /** Wrong passwords and wrong codes. */
  signInFailures: number;
  /** HTML pages answered with status 200. */
  pageViews: number;
  /** API requests of any outcome. */
  apiCalls: number;
  /** Requests whose `Authorization` carried anything the shop did not issue (AUT-3, lessons U50). */
  foreignTokens: number;
  /** Requests in which a planted canary stood: URL, headers or body (AUT-4). */
  canaryHits: number;
}

export function zeroCounters(): Counters {
  return {
    submits: 0,
    orderSubmits: 0,
    cancelSubmits: 0,
    orders: 0,
    verifications: 0,
    wrongCodes: 0,
    cancels: 0,
    offersTaken: 0,
    signIns: 0,
    signInFailures: 0,
    pageViews: 0,
    apiCalls: 0,
    foreignTokens: 0,
    canaryHits: 0,
  };
}
