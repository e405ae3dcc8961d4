/** Every limit of this package. */

/** How far the site's clock may be behind ours. */
export const CLOCK_SKEW_MS = 10 * 60_000;
/** Pages of one list that are walked before the site counts as one that does not do as it is asked. */
export const PAGES_MAX = 60;
/** How long a view may take to draw itself. */
export const DRAWN_MS = 20_000;
