import { type Json, parseInstant } from "@countersign/plugin/site";
import type { Draft } from "@countersign/route-http";
import { z } from "zod";
import { APPOINTMENT_NUMBER, type BookingOffer, type ListedAppointment, type Visit } from "../shared/booking.ts";

// What the clinic's API answers, as far as it is used. Anything else is trouble, never a guess.

const text = z.string().min(1);
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((each) => parseInstant(`${each}T00:00:00Z`).ok);
const instant = z.string().transform((each, ctx) => {
  const at = parseInstant(each);
  if (at.ok) return Number(at.value);
  ctx.addIssue({ code: "custom", message: at.reason });
  return z.NEVER;
});
const currency = z.string().regex(/^[A-Z]{3}$/);
/** Whole cents; a number that is none, or a text, is not read. */
const cents = z.int().min(0);

export const patientShape = z.object({ name: text, patient_number: z.string().regex(/^\d{4,16}$/) });

const named = z.object({ id: text, name: text });
export const servicesShape = z.object({ services: z.array(named) }).transform(({ services }) => services);
export const practitionersShape = z
  .object({ practitioners: z.array(named.extend({ services: z.array(text) })) })
  .transform(({ practitioners }) => practitioners);

const visit = z.object({ service: named, practitioner: named, place: text, starts_at: instant, ends_at: instant });

function visitOf(wire: z.infer<typeof visit>): Visit {
  return {
    serviceRef: wire.service.id,
    service: wire.service.name,
    practitionerRef: wire.practitioner.id,
    practitioner: wire.practitioner.name,
    place: wire.place,
    startsMs: wire.starts_at,
    endsMs: wire.ends_at,
  };
}

/** A part of a list; `total` is how many rows the whole of it has. */
const part = { total: z.int().min(0), next: text.exactOptional() };

export const freeTimesShape = z
  .object({ free_times: z.array(visit.extend({ time_id: text })), ...part })
  .transform(({ free_times: times, ...rest }) => ({
    ...rest,
    rows: times.map((time) => ({ timeId: time.time_id, ...visitOf(time) })),
  }));

export const draftShape = visit
  .extend({
    draft_id: text,
    patient: text,
    currency,
    copay_cents: cents,
    no_show_cents: cents,
    free_cancellation_until: instant.exactOptional(),
    own_reference: z.string(),
  })
  .transform(
    (draft): Draft<BookingOffer & { readonly ownReference: string }> => ({
      id: draft.draft_id,
      offer: {
        ...visitOf(draft),
        ownReference: draft.own_reference,
        patient: draft.patient,
        currency: draft.currency,
        feeMinor: draft.copay_cents,
        noShowMinor: draft.no_show_cents,
        ...(draft.free_cancellation_until === undefined ? {} : { freeUntilMs: draft.free_cancellation_until }),
      },
    }),
  );

export interface ApiAppointment extends ListedAppointment {
  readonly serviceRef: string;
  readonly practitionerRef: string;
  readonly bookedMs: number;
  readonly currency: string;
  readonly feeMinor?: number;
}

export const appointmentShape = visit
  .extend({
    number: z.string().regex(APPOINTMENT_NUMBER),
    status: z.enum(["booked", "cancelled", "past"]),
    patient: text,
    currency,
    copay_cents: cents.exactOptional(),
    own_reference: z.string(),
    booked_at: instant,
  })
  .transform(
    (each): ApiAppointment => ({
      ...visitOf(each),
      number: each.number,
      status: each.status,
      patient: each.patient,
      currency: each.currency,
      ...(each.copay_cents === undefined ? {} : { feeMinor: each.copay_cents }),
      ownReference: each.own_reference,
      bookedMs: each.booked_at,
    }),
  );

export const appointmentsShape = z
  .object({ appointments: z.array(appointmentShape), ...part })
  .transform(({ appointments, ...rest }) => ({ ...rest, rows: appointments }));

export const billsShape = z
  .object({
    bills: z.array(
      z.object({
        id: text,
        number: text,
        title: text,
        patient: text,
        issued_on: day,
        due_on: day,
        currency,
        total_cents: cents,
        open_cents: cents,
        status: z.enum(["open", "paid", "part_paid", "overdue"]),
      }),
    ),
  })
  .transform(({ bills }) => bills);

export const claimsShape = z
  .object({
    claims: z.array(
      z.object({
        id: text,
        number: text,
        title: text,
        patient: text,
        provider: text,
        treated_on: day,
        sent_on: day,
        status: z.enum(["in_review", "approved", "part_approved", "refused", "paid"]),
        status_text: text,
        currency,
        claimed_cents: cents,
        approved_cents: cents.exactOptional(),
        paid_cents: cents.exactOptional(),
        paid_on: day.exactOptional(),
      }),
    ),
  })
  .transform(({ claims }) => claims);

const errorShape = z.object({ error: z.object({ code: z.string().regex(/^[a-z_]+$/) }) });

/** The code of one of the clinic's own refusals. */
export function errorCode(json: Json | undefined): string | undefined {
  const parsed = errorShape.safeParse(json);
  return parsed.success ? parsed.data.error.code : undefined;
}
