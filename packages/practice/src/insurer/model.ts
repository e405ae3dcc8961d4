/** The practice insurer's own words. Money is integer minor units of one currency; days are `YYYY-MM-DD` in UTC. */

export interface Cover {
  readonly title: string;
  readonly limitMinor: number;
  readonly usedMinor: number;
  /** Percent of a loss that is paid. */
  readonly percent: number;
  /** Empty when there is none. */
  readonly note: string;
}

export interface Policy {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly kind: "home" | "car";
  readonly startsOn: string;
  readonly endsOn: string;
  readonly premiumMinor: number;
  readonly premiumPer: "month" | "year";
  /** What the insured bears of each claim, before any change of the terms. */
  readonly excessMinor: number;
  /** The most that one claim may be for. */
  readonly claimMaxMinor: number;
  readonly covers: readonly Cover[];
}

export type ClaimStatus = "received" | "being_assessed" | "paid" | "declined";

/** What somebody wants to claim, before the insurer has said what it would pay. */
export interface Wish {
  readonly policy: string;
  readonly happenedOn: string;
  readonly amountMinor: number;
  readonly description: string;
  /** The insured person's own reference; empty when there is none. */
  readonly ownReference: string;
}

/** The same with what the insurer says of it now: the last screen. */
export interface Offer extends Wish {
  readonly excessMinor: number;
  readonly payoutMinor: number;
  readonly paidTo: string;
  readonly declaration: string;
}

export interface Claim extends Wish {
  readonly number: string;
  readonly title: string;
  readonly excessMinor: number;
  readonly submittedOn: string;
  readonly submittedAtMs: number;
  readonly status: ClaimStatus;
  readonly approvedMinor?: number;
  readonly paidMinor?: number;
  readonly paidOn?: string;
}

/** What lets the claims company's form in: made for one session of the portal's, to begin a claim or to go on with one. */
export interface Ticket {
  readonly sid: string;
  /** The policy that is chosen beforehand. */
  readonly policy?: string;
  /** The claim that was begun already. */
  readonly draft?: string;
}

/** A claim that was begun in the claims company's frame. */
export interface Draft {
  /** In the frame's address: whoever has it may go on, and nobody else. */
  readonly caseId: string;
  /** What the insurer's pages call it. */
  readonly number: string;
  /** The portal's session that began it: it ends with that. */
  readonly sid: string;
  readonly lapsesAtMs: number;
  readonly said: Partial<Wish>;
  /** Number of the claim that it became. */
  readonly sent?: string;
}
