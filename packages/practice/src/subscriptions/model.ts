/** The practice subscription service's own words. Money is integer minor units of one currency; days are `YYYY-MM-DD` in UTC. */

export type Period = "month" | "year";

export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly priceMinor: number;
  readonly period: Period;
  /** An offer that the service makes for staying, with what it costs afterwards: on its list only while it is made. */
  readonly thenMinor?: number;
}

/** What can be subscribed to: the service's own, and the add-ons of others that it charges for. */
export interface Product {
  readonly id: string;
  readonly title: string;
  /** Who takes the money. */
  readonly merchant: string;
  readonly plans: readonly Plan[];
  /** What ending it brings about, in the service's words. */
  readonly lost: string;
  readonly offers: readonly Offer[];
}

/** Something offered for staying. Who takes it has another contract. */
export interface Offer {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** What its button says. */
  readonly take: string;
}

export interface Subscription {
  /** The product's id: one of each. */
  readonly id: string;
  readonly plan: Plan;
  readonly state: "active" | "trial" | "paused";
  readonly periodFrom: string;
  /** The day on which the next period begins and is charged. */
  readonly paidUntil: string;
  readonly lastOn?: string;
  /** Announced, and not begun yet. */
  readonly change?: PlanChange;
  readonly cancellation?: Cancellation;
  /** Offers that were taken up, by id. */
  readonly taken: readonly string[];
}

/** What moving to another plan brings at this moment: the last screen. */
export interface PlanQuote {
  readonly subscription: string;
  readonly plan: Plan;
  readonly presentPlan: string;
  readonly dueNowMinor: number;
  readonly startsOn: string;
  readonly boundEndsOn?: string;
  readonly consequence: string;
}

export interface PlanChange extends PlanQuote {
  readonly number: string;
  /** What whoever asked has called it; empty when nothing. */
  readonly reference: string;
  readonly madeAtMs: number;
}

/** What cancelling brings at this moment: the last screen. */
export interface CancellationQuote {
  readonly subscription: string;
  readonly plan: string;
  readonly endsOn: string;
  readonly consequence: string;
  readonly offers: readonly Offer[];
}

export interface Cancellation extends CancellationQuote {
  readonly number: string;
  readonly reference: string;
  readonly madeAtMs: number;
}

export interface Address {
  readonly name: string;
  readonly line1: string;
  readonly line2: string;
  readonly postcode: string;
  readonly city: string;
  readonly country: string;
}

export type ContactUse = "email" | "phone";

/** What the service keeps of the account holder. */
export interface Holder {
  readonly billing: Address;
  readonly email: string;
  /** A new e-mail address that waits for its link to be opened. */
  readonly emailToConfirm?: string;
  readonly phone: string;
}

export type HolderWish =
  | { readonly kind: "address"; readonly address: Address }
  | { readonly kind: "contact"; readonly use: ContactUse; readonly value: string };

/** What a change of the holder's data brings: the last screen. */
export interface HolderQuote {
  readonly wish: HolderWish;
  /** What stands there until now, in one line. */
  readonly present: string;
  readonly next: string;
  readonly consequence: string;
}

export interface HolderChange extends HolderQuote {
  readonly number: string;
  readonly reference: string;
  readonly status: "changed" | "to be confirmed";
  readonly madeAtMs: number;
}
