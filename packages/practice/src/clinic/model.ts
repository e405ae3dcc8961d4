/** The practice clinic's own words. Money is integer cents of one currency; instants are epoch milliseconds. */

export interface Service {
  readonly id: string;
  readonly name: string;
  readonly minutes: number;
  /** What the patient pays of it, billed after the visit. */
  readonly copayMinor: number;
  readonly noShowMinor: number;
}

export interface Practitioner {
  readonly id: string;
  readonly name: string;
  readonly room: string;
  /** Ids of services. */
  readonly does: readonly string[];
}

/** A time at which a service can be had. */
export interface FreeTime {
  readonly id: string;
  readonly service: Service;
  readonly practitioner: Practitioner;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/** What somebody wants to book: a time, with a reference of their own that the clinic keeps with it; empty when there is none. */
export interface Wish {
  readonly timeId: string;
  readonly ownReference: string;
}

/** The same with what the clinic says of it now: the last screen. */
export interface Offer extends FreeTime {
  readonly ownReference: string;
  readonly copayMinor: number;
  readonly noShowMinor: number;
  /** Until when calling off is free; absent when it is not any more. */
  readonly freeUntilMs?: number;
}

export type AppointmentStatus = "booked" | "cancelled" | "past";

export interface Appointment {
  readonly number: string;
  readonly service: Service;
  readonly practitioner: Practitioner;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly status: AppointmentStatus;
  readonly ownReference: string;
  /** What the patient was told that it costs; those of long ago have none. */
  readonly copayMinor?: number;
  readonly bookedAtMs: number;
}

export interface Bill {
  readonly id: string;
  readonly number: string;
  readonly title: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  readonly totalMinor: number;
  readonly openMinor: number;
  readonly status: "open" | "paid" | "part_paid" | "overdue";
}

export interface Claim {
  readonly id: string;
  readonly number: string;
  readonly title: string;
  readonly insurer: string;
  readonly treatedOn: string;
  readonly sentOn: string;
  readonly status: "in_review" | "approved" | "part_approved" | "refused" | "paid";
  readonly statusText: string;
  readonly claimedMinor: number;
  readonly approvedMinor?: number;
  readonly paidMinor?: number;
  readonly paidOn?: string;
}
