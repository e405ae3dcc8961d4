/** Every limit of this package. */

/** Offers for staying that are looked at before the service counts as one that does not do as it is asked. */
export const OFFERS_MAX = 8;
