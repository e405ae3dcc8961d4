import { type Attempt, gap, ok, parseInstant, SiteTrouble } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { bodyOf, draftedCommit, type HttpSession } from "@countersign/route-http";
import {
  approvedTime,
  type BookingOffer,
  type BookingWish,
  bookingTerms,
  bookingWish,
  confirmationOf,
  isApproved,
  withinWindow,
} from "../shared/booking.ts";
import { NO_FREE_TIME, noSuchPractitioner, noSuchService, OTHER_CURRENCY, TAKEN } from "../shared/gaps.ts";
import { CLOCK_SKEW_MS } from "../shared/limits.ts";
import { dayOf } from "../shared/local-time.ts";
import {
  type ApiAppointment,
  appointmentShape,
  appointmentsShape,
  draftShape,
  errorCode,
  freeTimesShape,
  practitionersShape,
  servicesShape,
} from "./shapes.ts";
import { walk } from "./walk.ts";

const APPOINTMENTS = "/api/appointments";

/** Books a visit through the clinic's API: a draft is the last screen, `POST /api/appointments` the commitment. */
export const appointmentBook = draftedCommit<BookingOffer & { readonly ownReference: string }, ApiAppointment>({
  operation: "healthcare.appointment.book",
  path: APPOINTMENTS,
  drafts: "/api/booking-drafts",
  draftShape,
  looking: "Looking for the first free time",
  async request(_ctx, session, { params, approved }, reference) {
    const time =
      approved === undefined ? await firstFree(session, bookingWish(params)) : await sameTime(session, approved);
    if (!time.ok) return time;
    return ok({
      body: { time_id: time.value, own_reference: reference },
      unlike(offer) {
        if (offer.ownReference !== reference) throw new SiteTrouble("the clinic did not keep the reference");
        return offer.currency === params["currency"] ? undefined : OTHER_CURRENCY;
      },
    });
  },
  terms: bookingTerms,
  body: (draft) => ({ draft_id: draft }),
  doneShape: appointmentShape,
  list(session, { alike, ownReference }) {
    const query: Readonly<Record<string, string>> = alike ? {} : { own_reference: ownReference };
    return walk(session, APPOINTMENTS, query, appointmentsShape, Number.POSITIVE_INFINITY);
  },
  reference: (booked) => booked.ownReference,
  isWanted: (booked, record) => booked.status !== "cancelled" && isApproved(booked, record),
  isAlike(booked, record) {
    const created = parseInstant(record.created_at);
    return created.ok && booked.bookedMs >= created.value - CLOCK_SKEW_MS && isApproved(booked, record);
  },
  confirmation(booked) {
    const observed = booked.feeMinor === undefined ? {} : { currency: booked.currency, fee_minor: booked.feeMinor };
    return { ...confirmationOf(booked.number, booked), observed };
  },
  codeOf: errorCode,
  gaps: { time_taken: TAKEN },
  gone: { draft_expired: "used_or_expired" },
  refusals: {
    time_taken: [409, TAKEN],
    booking_refused: [422, "the clinic cannot book this online"],
    draft_expired: [410, "the clinic's last screen has lapsed"],
  },
});

/** @returns the site's id of it. */
async function firstFree(session: HttpSession, wish: BookingWish): Promise<Attempt<string>> {
  const known = await checkRefs(session, wish);
  if (!known.ok) return known;
  const times = await timesFor(session, wish);
  if (!times.ok) return times;
  const [time] = withinWindow(times.value, wish);
  return time === undefined ? gap(NO_FREE_TIME) : ok(time.timeId);
}

/** Exactly the approved time, and not the first free one of now. */
async function sameTime(session: HttpSession, record: ActionRecord): Promise<Attempt<string>> {
  const { serviceRef, practitionerRef, startsMs, endsMs } = approvedTime(record);
  const times = await timesFor(session, { serviceRef, practitionerRef, earliestMs: startsMs, latestMs: endsMs });
  if (!times.ok) return times;
  const time = times.value.find((each) => isApproved(each, record));
  return time === undefined ? gap(TAKEN) : ok(time.timeId);
}

/** Unknown references are told beside those that exist: no operation lists them. */
async function checkRefs(session: HttpSession, wish: BookingWish): Promise<Attempt<void>> {
  const services = bodyOf(await session.fetch("/api/services"), 200, servicesShape);
  if (!services.ok) return services;
  if (!services.value.some(({ id }) => id === wish.serviceRef))
    return gap(noSuchService(services.value.map(({ id }) => id)));
  if (wish.practitionerRef === undefined) return ok(undefined);
  const practitioners = bodyOf(await session.fetch("/api/practitioners"), 200, practitionersShape);
  if (!practitioners.ok) return practitioners;
  const able = practitioners.value.filter((each) => each.services.includes(wish.serviceRef)).map(({ id }) => id);
  return able.includes(wish.practitionerRef) ? ok(undefined) : gap(noSuchPractitioner(able));
}

function timesFor(session: HttpSession, wish: Omit<BookingWish, "currency">) {
  const query = {
    service: wish.serviceRef,
    ...(wish.practitionerRef === undefined ? {} : { practitioner: wish.practitionerRef }),
    from: dayOf(wish.earliestMs),
    to: dayOf(wish.latestMs),
  };
  return walk(session, "/api/free-times", query, freeTimesShape, Number.POSITIVE_INFINITY);
}
