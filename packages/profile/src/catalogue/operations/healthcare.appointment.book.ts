import { type JsonObject, parseInstant } from "@countersign/wire";
import { z } from "zod";
import { CURRENCY_FIELDS, disagreements } from "../meanings.ts";
import type { CommitOperation, TermsMeaning } from "../model.ts";
import { currency, hostName, inCurrency, instantText, minor, reference, siteText } from "../shapes.ts";

const parameters = z
  .strictObject({
    service_ref: reference,
    practitioner_ref: reference.exactOptional(),
    /** The appointment lies within: it begins at `earliest_at` or later, and is over by `latest_at`. */
    earliest_at: instantText,
    latest_at: instantText,
    /** The most that the visit itself may cost the person; 0 for one that is covered (REQ-8). */
    max_fee_minor: minor,
    currency,
  })
  .refine((asked) => !isAfter(asked.earliest_at, asked.latest_at), "earliest_at is not after latest_at");

const terms = z.strictObject({
  clinic: hostName,
  service_ref: reference,
  practitioner_ref: reference.exactOptional(),
  place: siteText,
  starts_at: instantText,
  ends_at: instantText.exactOptional(),
  ...inCurrency,
  /** What the visit will cost, billed by the clinic afterwards. */
  fee_minor: minor,
  /** What staying away costs, and until when calling off is free. */
  no_show_fee_minor: minor.exactOptional(),
  cancel_ends_at: instantText.exactOptional(),
  /** How long the clinic keeps the time free for this decision. */
  hold_ends_at: instantText.exactOptional(),
});

const meaning: TermsMeaning = {
  question: "Book this appointment?",
  affirm: "Approve and book",
  validUntil: "hold_ends_at",
  receipt: ["clinic", "starts_at", "currency", "minor_digits", "fee_minor"],
  fields: [
    { member: "starts_at", label: "Begins", compare: "equal", show: "instant", place: 1 },
    { member: "ends_at", label: "Ends", compare: "equal", show: "instant", place: 2 },
    { member: "clinic", label: "At", compare: "equal", show: "host", place: 4 },
    { member: "place", label: "Where", compare: "equal", show: "text", place: 6 },
    { member: "fee_minor", label: "The visit costs you", compare: "not_above", show: "money", place: 7 },
    { member: "no_show_fee_minor", label: "Staying away costs", compare: "not_above", show: "money", place: 8 },
    { member: "cancel_ends_at", label: "Free to call off until", compare: "equal", show: "instant", place: 9 },
    { member: "hold_ends_at", label: "Kept free until", compare: "equal", show: "instant", place: 110 },
    { member: "practitioner_ref", label: "Practitioner reference", compare: "equal", show: "reference", place: 118 },
    { member: "service_ref", label: "Service reference", compare: "equal", show: "reference", place: 119 },
    ...CURRENCY_FIELDS,
  ],
  lists: [],
  personal: [
    { name: "service", label: "What for", place: 3 },
    { name: "practitioner", label: "With", place: 5 },
    { name: "patient", label: "For", place: 10 },
  ],
};

/** Takes one free time at a clinic. */
export const healthcareAppointmentBook: CommitOperation = {
  id: "healthcare.appointment.book",
  title: "Book an appointment",
  about:
    "Takes the first free time within the asked window, and puts that exact time to the person. What it is for, with whom and for whom is shown to them and stays out of the record. Nothing is charged at the booking; a clinic that wants to be paid at once is a gap for this operation.",
  version: "1",
  effect: "commit",
  sensitivity: "critical",
  approval: "session",
  parameters,
  terms,
  result: z.object({
    appointment_ref: siteText,
    status: z.enum(["booked", "requested"]),
    starts_at: instantText,
    ends_at: instantText.exactOptional(),
  }),
  meaning,
  ceiling: {
    limitMember: "max_fee_minor",
    limitCurrencyMember: "currency",
    totalMember: "fee_minor",
    currencyMember: "currency",
  },
  limits: {
    payee: { termsMember: "clinic" },
    items: { requestMember: "service_ref", termsMember: "service_ref" },
  },
  readBack: {
    where: "The list of appointments: one at exactly this time, with this practitioner.",
    terms: ["starts_at", "practitioner_ref", "service_ref"],
    listedBy: "healthcare.appointments.list",
  },
  contradictions(asked: JsonObject, observed: JsonObject): readonly string[] {
    const want = parameters.parse(asked);
    const seen = terms.parse(observed);
    const found = disagreements(meaning, ["service_ref", "practitioner_ref", "currency"], want, seen);
    if (isAfter(want.earliest_at, seen.starts_at)) found.push("starts_at");
    if (isAfter(seen.ends_at ?? seen.starts_at, want.latest_at)) found.push("ends_at");
    if (seen.ends_at !== undefined && isAfter(seen.starts_at, seen.ends_at)) found.push("ends_at");
    if (seen.cancel_ends_at !== undefined && isAfter(seen.cancel_ends_at, seen.starts_at)) found.push("cancel_ends_at");
    return [...new Set(found)];
  },
  example: {
    parameters: {
      service_ref: "check-up",
      earliest_at: "2026-12-07T08:00:00+01:00",
      latest_at: "2026-12-11T18:00:00+01:00",
      max_fee_minor: 2000,
      currency: "EUR",
    },
    terms: {
      clinic: "clinic.example",
      service_ref: "check-up",
      practitioner_ref: "pr_4",
      place: "Practice at the park, room 2",
      starts_at: "2026-12-08T09:20:00+01:00",
      ends_at: "2026-12-08T09:40:00+01:00",
      currency: "EUR",
      minor_digits: 2,
      fee_minor: 1500,
      no_show_fee_minor: 3000,
      cancel_ends_at: "2026-12-07T09:20:00+01:00",
    },
    result: {
      appointment_ref: "ap_31",
      status: "booked",
      starts_at: "2026-12-08T09:20:00+01:00",
      ends_at: "2026-12-08T09:40:00+01:00",
    },
  },
};

/** Of two RFC 3339 times, which may have different offsets: compared as instants, never as text (U54). */
function isAfter(a: string, b: string): boolean {
  const [first, second] = [parseInstant(a), parseInstant(b)];
  return first.ok && second.ok && first.value > second.value;
}
