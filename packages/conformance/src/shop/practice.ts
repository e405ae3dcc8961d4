/**
 * What the suite knows of the practice shop: its documented person and goods. None of it is a secret, and the shop's
 * own control port says the rest.
 */
export const PRACTICE_PERSON = { email: "alex@practice.example", password: "correct-practice-horse" } as const;

/** Texts of the person's that have no place in anything an agent is sent. */
export const PRACTICE_PERSONAL = ["Harbour Street", "Mill Lane"] as const;

export const LAMP = { sku: "TL-200", totalMinor: 4990, currency: "EUR" } as const;

/** The shop's operations in the profile's catalogue. */
export const ORDER = "retail.order.submit";
export const ORDERS_LIST = "retail.orders.list";
export const ALL_OPERATIONS = [ORDERS_LIST, ORDER] as const;
/** An operation that no shop has. */
export const NO_SUCH_OPERATION = "banking.transfer.submit";
