/** Every limit of this package. */

/** How far the insurer's clock may be behind ours. */
export const CLOCK_SKEW_MS = 10 * 60_000;
