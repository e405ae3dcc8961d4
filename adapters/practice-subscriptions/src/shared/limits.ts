/** Every limit of this package. */

/** How long the committing request may take to appear after the click. */
export const HOLD_MS = 15_000;
/** Offers for staying that are looked at before the service counts as one that does not do as it is asked. */
export const OFFERS_MAX = 8;
