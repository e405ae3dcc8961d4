/** Northlight's own words. Money is whole cents of one currency; days are `YYYY-MM-DD` of its clock (UTC). */

export type Kind = "electricity" | "gas";

export interface Plan {
  readonly id: string;
  readonly kind: Kind;
  readonly name: string;
  readonly priceCents: number;
  /** Charged at the change. */
  readonly dueNowCents: number;
  /** No way out before so many months are over; 0 when it can be ended from month to month. */
  readonly boundMonths: number;
  readonly text: string;
}

export interface Method {
  readonly id: string;
  readonly label: string;
  readonly feeCents: number;
}

export interface Contract {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  readonly place: string;
  readonly meter: string;
}

/** What a contract is set to now. */
export interface ContractState {
  readonly plan: string;
  /** A plan change that is announced and has not begun. */
  readonly next?: { readonly plan: string; readonly startsOn: string };
  /** Absent: bills are not paid by themselves. */
  readonly autopay?: { readonly method: string; readonly firstOn: string };
}

export interface Bill {
  readonly id: string;
  readonly contract: string;
  readonly title: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  readonly from: string;
  readonly to: string;
  /** A credit is negative. */
  readonly totalCents: number;
  /** What came in before the oldest payment that is listed. */
  readonly paidCents: number;
}

export interface Reading {
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  /** Decimal digits. */
  readonly used: string;
  readonly estimated: boolean;
  readonly costCents: number;
}

/** What somebody wants to do, before Northlight has said what comes of it. `reference` is theirs; empty when there is none. */
export type Wish = { readonly reference: string } & (
  | { readonly kind: "payment"; readonly bill: string; readonly method?: string; readonly on?: string }
  | { readonly kind: "plan"; readonly contract: string; readonly plan: string }
  | { readonly kind: "autopay"; readonly contract: string; readonly autopay: "on" | "off"; readonly method?: string }
);
export type PaymentWish = Extract<Wish, { kind: "payment" }>;
export type PlanWish = Extract<Wish, { kind: "plan" }>;
export type AutopayWish = Extract<Wish, { kind: "autopay" }>;

/** The last screen of a payment. */
export interface PaymentOffer {
  readonly kind: "payment";
  readonly reference: string;
  readonly bill: Bill;
  readonly method: Method;
  readonly openCents: number;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly totalCents: number;
  readonly payOn: string;
  readonly status: "paid" | "scheduled";
}

export interface PlanOffer {
  readonly kind: "plan";
  readonly reference: string;
  readonly contract: Contract;
  readonly plan: Plan;
  readonly presentPlan: Plan;
  readonly priceCents: number;
  readonly startsOn: string;
  readonly boundEndsOn?: string;
}

export interface AutopayOffer {
  readonly kind: "autopay";
  readonly reference: string;
  readonly contract: Contract;
  readonly autopay: "on" | "off";
  readonly present: "on" | "off";
  readonly on?: {
    readonly method: Method;
    readonly charged: string;
    readonly firstOn: string;
    readonly mandate: string;
  };
}

export type Offer = PaymentOffer | PlanOffer | AutopayOffer;

export interface Payment {
  readonly number: string;
  readonly bill: string;
  readonly method: string;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly totalCents: number;
  readonly payOn: string;
  readonly status: "paid" | "scheduled";
  readonly reference: string;
  readonly madeAtMs: number;
  /** `no`: the person's bank has taken it back, and the bill is open again. */
  readonly counts: "yes" | "no";
}

/** A change of a contract as it was taken. */
export type Change = { readonly number: string; readonly madeAtMs: number } & (
  | { readonly kind: "plan"; readonly offer: PlanOffer }
  | { readonly kind: "autopay"; readonly offer: AutopayOffer }
);

/** A key that a program shows in place of the person. Of the key itself only a digest is kept. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  readonly ending: string;
  readonly madeAtMs: number;
}

export type Problem =
  | "invalid_request"
  | "unknown_bill"
  | "nothing_to_pay"
  | "unknown_method"
  | "date_not_possible"
  | "unknown_contract"
  | "unknown_plan"
  | "change_announced"
  | "nothing_to_change";
