/** The practice shop's own words. Money is integer minor units of the shop's one currency; times are epoch milliseconds. */

export interface Variant {
  readonly sku: string;
  readonly name: string;
}

export interface Product {
  readonly sku: string;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly unitMinor: number;
  readonly stock: "in_stock" | "sold_out";
  /** What the variants differ in, for example "Colour". Present exactly when there are variants. */
  readonly optionName?: string;
  /** Empty when the product itself is what one orders. */
  readonly variants: readonly Variant[];
}

/** What can be put on a line: a product without variants, or one variant. */
export interface Item {
  readonly sku: string;
  readonly title: string;
  readonly unitMinor: number;
  readonly stock: Product["stock"];
}

export interface Delivery {
  readonly id: string;
  readonly title: string;
  readonly promise: string;
  readonly priceMinor: number;
}

export interface Address {
  readonly id: string;
  readonly label: string;
  readonly lines: readonly string[];
}

export interface Instrument {
  readonly id: string;
  readonly label: string;
}

export interface PricedLine {
  readonly sku: string;
  readonly title: string;
  readonly quantity: number;
  readonly unitMinor: number;
  readonly totalMinor: number;
}

/** Lines, delivery and total at one moment. `totalMinor` is always the sum of the lines and the delivery. */
export interface Priced {
  readonly currency: string;
  readonly lines: readonly PricedLine[];
  readonly subtotalMinor: number;
  readonly delivery: Delivery;
  readonly totalMinor: number;
}

export type OrderStatus = "Confirmed" | "Sent" | "Delivered" | "Cancelled";

/** `refundMinor` and `keptMinor` are all of what was paid. */
export interface OrderCancellation {
  readonly reference: string;
  readonly cancelledAtMs: number;
  readonly paidMinor: number;
  readonly refundMinor: number;
  readonly keptMinor: number;
  /** What the request was named by; absent where nobody named it. */
  readonly requested?: string;
}

/** `totalMinor` is what was charged: with the `chargeOver` switch more than lines and delivery. */
export interface Order extends Priced {
  readonly number: string;
  readonly placedAtMs: number;
  readonly status: OrderStatus;
  readonly address: Address;
  readonly instrument: Instrument;
  /** Empty when none was given. */
  readonly note: string;
  /** Set once called off. */
  readonly cancellation?: OrderCancellation;
}

export interface Membership {
  readonly plan: string;
  readonly priceMinor: number;
  readonly paidUntilMs: number;
  /** Set once cancelled. The membership ends when what is paid ends. */
  readonly cancellation?: { readonly reference: string; readonly cancelledAtMs: number; readonly endsAtMs: number };
  /** Set once the retention offer was taken: half price for three months. */
  readonly offerTakenAtMs?: number;
}

/** The person's choices on the checkout page, kept by the shop between visits as real shops do. */
export interface CheckoutChoice {
  readonly delivery: string;
  readonly address: string;
  readonly instrument: string;
  readonly note: string;
}
