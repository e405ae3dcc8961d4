/** The practice bank's own words. Money is integer minor units of one currency; days are `YYYY-MM-DD` of the bank's clock (UTC). */

export type AccountKind = "current" | "savings" | "card";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly kind: AccountKind;
  /** As the bank prints it: an IBAN, or a card number of which only the end is shown. */
  readonly number: string;
  /** Cards alone. */
  readonly creditLineMinor?: number;
}

export interface Entry {
  readonly id: string;
  readonly account: string;
  readonly bookedOn: string;
  readonly valueOn: string;
  readonly counterparty: string;
  readonly text: string;
  /** Money that leaves is negative. */
  readonly amountMinor: number;
  readonly pending: boolean;
}

export interface Payee {
  readonly id: string;
  readonly name: string;
  readonly number: string;
  readonly bank: string;
  readonly currency: string;
  /** What the payee's bank says of the name. */
  readonly nameCheck: "matches" | "close" | "does not match" | "not checked";
}

export interface Reward {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly points: number;
  readonly worthMinor: number;
  readonly expiringPoints: number;
  readonly expiresOn: string;
}

/** What somebody wants to send, before the bank has said what it costs. */
export interface Wish {
  readonly from: string;
  readonly payee: string;
  readonly amountMinor: number;
  /** Empty when there is none. */
  readonly text: string;
  /** The sender's own reference, which the payee does not see; empty when there is none. */
  readonly ownReference: string;
  /** Absent: at once. */
  readonly executeOn?: string;
}

/** The same with what the bank says of it now: the last screen. */
export interface Offer extends Wish {
  readonly executeOn: string;
  readonly currency: string;
  readonly feeMinor: number;
  readonly totalMinor: number;
  readonly speed: string;
  readonly status: "executed" | "scheduled";
}

export interface Transfer extends Offer {
  readonly number: string;
  readonly sentAtMs: number;
}
