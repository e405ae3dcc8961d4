/** Every limit of this package. */

/** How far the clinic's clock may be behind ours. */
export const CLOCK_SKEW_MS = 10 * 60_000;
/** Parts of one list that are walked before the site counts as one that does not do as it is asked. */
export const PARTS_MAX = 60;
/** Rows of one list that are read at most, and screenfuls that are gone through. */
export const ROWS_MAX = 2_000;
export const SCROLLS_MAX = 500;
/** How long the rows of a list may take to come. */
export const LIST_WAIT_MS = 8_000;
