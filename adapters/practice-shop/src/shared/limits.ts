/** Every limit of this package. */

/** Order numbers kept with a submission; older orders are told by their time. */
export const KNOWN_ORDERS_MAX = 200;
/** How far the shop's clock may be behind ours. */
export const CLOCK_SKEW_MS = 10 * 60_000;
/** How long the committing request may take to appear after the click. */
export const HOLD_MS = 15_000;
/** Lines that a cart is emptied of before it counts as a site that does not do as it is asked. */
export const CART_LINES_MAX = 100;
