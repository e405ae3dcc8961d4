/** Every limit of this adapter. */

/** The site's pages are written for this country: how its amounts and dates are read. */
export const LOCALE = "en-IE";
/** The site sells in one currency. */
export const CURRENCY = "EUR";
