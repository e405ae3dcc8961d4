/** Every limit of this package. */

/** How long the committing request may take to appear after the click. */
export const HOLD_MS = 15_000;
/** How long a part of a page that its own script draws may take to appear. */
export const PART_MS = 15_000;
/** A click before the page's script is alive does nothing: how long one is given before it is made again. */
export const CLICK_TAKES_MS = 2_500;
export const CLICKS_MAX = 4;
/** Lines that a cart is emptied of before it counts as a site that does not do as it is asked. */
export const CART_LINES_MAX = 100;
/** Order numbers that are kept with a submission; the newest. */
export const KNOWN_ORDERS_MAX = 400;
/** New orders that a read-back looks into; more are too many to tell apart. */
export const NEW_ORDERS_MAX = 20;
/** A line of an address as a person may type it. */
export const ADDRESS_LINE_CHARS_MAX = 200;
