import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json } from "../../http/reply.ts";
import type { Appointment, Bill, Claim, FreeTime, Offer } from "../model.ts";
import { CLINIC_NAME, CURRENCY, placeOf } from "../seed.ts";
import { instantText } from "../time.ts";
import type { ClinicWorld } from "../world.ts";

/** Every error of the clinic's API: its code, HTTP status and a sentence for people, under `error`. */
const API_ERRORS = {
  invalid_request: [400, "The request is not what this address takes."],
  idempotency_key_missing: [400, "A booking needs an Idempotency-Key."],
  unauthenticated: [401, "Sign in again: nobody is signed in, or nothing was asked for too long."],
  second_factor_required: [401, "Tap the same number on your phone, then go on at /api/sessions/confirm."],
  second_factor_waiting: [409, "The question on the phone has not been answered yet."],
  second_factor_refused: [403, "The sign-in was refused on the phone."],
  invalid_credentials: [401, "The patient number and password do not match."],
  invalid_code: [401, "The code is not right."],
  challenge_expired: [410, "This sign-in has lapsed. Begin again."],
  rate_limited: [429, "Too many attempts."],
  not_found: [404, "There is nothing at this address."],
  method_not_allowed: [405, "This method is not possible here."],
  too_large: [413, "The request body is too large."],
  unknown_service: [422, "The clinic does not offer this."],
  unknown_practitioner: [422, "Nobody at the clinic is called this."],
  not_done_by: [422, "This practitioner does not do this."],
  unknown_time: [422, "This is no time of the clinic's diary."],
  time_taken: [409, "This time was taken by somebody else meanwhile. Nothing was booked."],
  draft_expired: [410, "This booking has lapsed. Choose a time again."],
  booking_refused: [422, "The clinic cannot book this online. Nothing was booked."],
  idempotency_key_reused: [422, "This key was used for another request."],
  temporarily_unavailable: [503, "Not available at the moment."],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type ClinicApiError = keyof typeof API_ERRORS;

export function refuseClinic(
  error: ClinicApiError,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const [status, message] = API_ERRORS[error];
  const challenge: Readonly<Record<string, string>> = status === 401 ? { "www-authenticate": "Bearer" } : {};
  return json(status, { error: { code: error, message }, ...more }, { ...challenge, ...headers });
}

export function clinicBearerOf(exchange: Exchange): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(exchange.headers.authorization ?? "")?.[1];
}

export function clinicApiSignedIn(world: ClinicWorld, exchange: Exchange): boolean {
  const token = clinicBearerOf(exchange);
  return token !== undefined && world.state.tokens.get(token, world.now()) !== undefined;
}

function visitWire(visit: Pick<FreeTime, "service" | "practitioner" | "startsAtMs" | "endsAtMs">) {
  const { service, practitioner } = visit;
  return {
    service: { id: service.id, name: service.name },
    practitioner: { id: practitioner.id, name: practitioner.name },
    place: placeOf(practitioner),
    starts_at: instantText(visit.startsAtMs),
    ends_at: instantText(visit.endsAtMs),
  };
}

export function freeTimeWire(time: FreeTime) {
  return { time_id: time.id, ...visitWire(time) };
}

/** Amounts are whole cents, the currency once beside them: another habit than the shop's and the bank's. */
export function offerWire(offer: Offer, patient: string) {
  return {
    ...visitWire(offer),
    patient,
    currency: CURRENCY,
    copay_cents: offer.copayMinor,
    no_show_cents: offer.noShowMinor,
    ...(offer.freeUntilMs === undefined ? {} : { free_cancellation_until: instantText(offer.freeUntilMs) }),
    own_reference: offer.ownReference,
  };
}

export function appointmentWire(appointment: Appointment, patient: string) {
  return {
    number: appointment.number,
    status: appointment.status,
    ...visitWire(appointment),
    patient,
    currency: CURRENCY,
    ...(appointment.copayMinor === undefined ? {} : { copay_cents: appointment.copayMinor }),
    own_reference: appointment.ownReference,
    booked_at: instantText(appointment.bookedAtMs),
  };
}

export function billWire(bill: Bill, patient: string) {
  return {
    id: bill.id,
    number: bill.number,
    title: bill.title,
    patient,
    issued_on: bill.issuedOn,
    due_on: bill.dueOn,
    currency: CURRENCY,
    total_cents: bill.totalMinor,
    open_cents: bill.openMinor,
    status: bill.status,
  };
}

export function claimWire(claim: Claim, patient: string) {
  return {
    id: claim.id,
    number: claim.number,
    title: claim.title,
    patient,
    provider: CLINIC_NAME,
    insurer: claim.insurer,
    treated_on: claim.treatedOn,
    sent_on: claim.sentOn,
    status: claim.status,
    status_text: claim.statusText,
    currency: CURRENCY,
    claimed_cents: claim.claimedMinor,
    ...(claim.approvedMinor === undefined ? {} : { approved_cents: claim.approvedMinor }),
    ...(claim.paidMinor === undefined ? {} : { paid_cents: claim.paidMinor }),
    ...(claim.paidOn === undefined ? {} : { paid_on: claim.paidOn }),
  };
}
