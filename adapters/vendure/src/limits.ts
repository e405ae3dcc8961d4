/** Every limit of this package. */

/** Orders of one page of the shop's list; the shop takes a hundred at most. */
export const PAGE_ORDERS = 50;
export const PAGES_MAX = 20;
/** How far the shop's clock may be behind ours. */
export const CLOCK_SKEW_MS = 10 * 60_000;
