import { assert, currencyDigits, type JsonObject, must, type Observed, parseInstant } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";

/** What `healthcare.appointment.book` asks for, as the catalogue has validated it. */
export interface BookingWish {
  readonly serviceRef: string;
  readonly practitionerRef?: string;
  readonly earliestMs: number;
  readonly latestMs: number;
  readonly currency: string;
}

export function bookingWish(parameters: JsonObject): BookingWish {
  const { service_ref: serviceRef, practitioner_ref: practitionerRef, currency } = parameters;
  assert(typeof serviceRef === "string" && typeof currency === "string", "parameters are as the catalogue says");
  return {
    serviceRef,
    ...(typeof practitionerRef === "string" ? { practitionerRef } : {}),
    earliestMs: instantOf(parameters["earliest_at"]),
    latestMs: instantOf(parameters["latest_at"]),
    currency,
  };
}

function instantOf(value: unknown): number {
  const at = parseInstant(String(value));
  assert(at.ok, "parameters are as the catalogue says");
  return at.value;
}

/** One time of the clinic's diary, by whichever route it was read. */
export interface Visit {
  readonly serviceRef: string;
  readonly service: string;
  readonly practitionerRef: string;
  readonly practitioner: string;
  readonly place: string;
  readonly startsMs: number;
  readonly endsMs: number;
}

/** The clinic's last screen before a booking. */
export interface BookingOffer extends Visit {
  readonly patient: string;
  readonly currency: string;
  readonly feeMinor: number;
  readonly noShowMinor: number;
  /** Absent when calling off is not free any more. */
  readonly freeUntilMs?: number;
}

/** The visits that lie within what was asked, soonest first; of two at one time the one whose practitioner is listed first. */
export function withinWindow<T extends Pick<Visit, "startsMs" | "endsMs" | "practitionerRef">>(
  visits: readonly T[],
  wish: BookingWish,
): readonly T[] {
  return visits
    .filter((visit) => visit.startsMs >= wish.earliestMs && visit.endsMs <= wish.latestMs)
    .toSorted((a, b) => a.startsMs - b.startsMs || (a.practitionerRef < b.practitionerRef ? -1 : 1));
}

/** One and the same instant is one and the same text, by whichever route it was read. */
export function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The terms of `healthcare.appointment.book` as the clinic shows them; what for, with whom and for whom is personal text. */
export function bookingTerms(origin: string, offer: BookingOffer): Observed<JsonObject> {
  return {
    terms: {
      clinic: new URL(origin).host,
      service_ref: offer.serviceRef,
      practitioner_ref: offer.practitionerRef,
      place: offer.place,
      starts_at: instantText(offer.startsMs),
      ends_at: instantText(offer.endsMs),
      currency: offer.currency,
      minor_digits: must(currencyDigits(offer.currency), "currency"),
      fee_minor: offer.feeMinor,
      no_show_fee_minor: offer.noShowMinor,
      ...(offer.freeUntilMs === undefined ? {} : { cancel_ends_at: instantText(offer.freeUntilMs) }),
    },
    personal: { service: offer.service, practitioner: offer.practitioner, patient: offer.patient },
  };
}

/** What was approved, as far as it finds the time again: that exact one, not the first free one of now. */
export interface ApprovedTime {
  readonly serviceRef: string;
  readonly practitionerRef: string;
  readonly startsMs: number;
  readonly endsMs: number;
}

export function approvedTime(record: ActionRecord): ApprovedTime {
  const terms = record.terms as JsonObject;
  const { service_ref: serviceRef, practitioner_ref: practitionerRef } = terms;
  assert(typeof serviceRef === "string" && typeof practitionerRef === "string", "the terms are our own");
  return {
    serviceRef,
    practitionerRef,
    startsMs: instantOf(terms["starts_at"]),
    endsMs: instantOf(terms["ends_at"]),
  };
}

export function isApproved(visit: Omit<ApprovedTime, "endsMs">, record: ActionRecord): boolean {
  const approved = approvedTime(record);
  return (
    visit.serviceRef === approved.serviceRef &&
    visit.practitionerRef === approved.practitionerRef &&
    visit.startsMs === approved.startsMs
  );
}

export const APPOINTMENT_NUMBER = /^AP-[0-9]{1,12}$/;

/** An appointment as the clinic lists it. */
export interface ListedAppointment {
  readonly number: string;
  readonly status: "booked" | "cancelled" | "past";
  readonly service: string;
  readonly practitioner: string;
  readonly patient: string;
  readonly place: string;
  readonly startsMs: number;
  readonly endsMs: number;
  readonly ownReference: string;
}

export function appointmentRow(each: ListedAppointment): JsonObject {
  return {
    appointment_ref: each.number,
    service: each.service,
    practitioner: each.practitioner,
    patient: each.patient,
    place: each.place,
    online: false,
    status: each.status,
    starts_at: instantText(each.startsMs),
    ends_at: instantText(each.endsMs),
  };
}

export function confirmationOf(number: string, visit: { readonly startsMs: number; readonly endsMs: number }) {
  const when = { starts_at: instantText(visit.startsMs), ends_at: instantText(visit.endsMs) };
  return {
    confirmation: number,
    result: { appointment_ref: number, status: "booked", ...when },
  };
}
