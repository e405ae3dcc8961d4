import type { Answer, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  type Fingerprint,
  gap,
  type JsonObject,
  type Matched,
  matchOwn,
  type OwnActs,
  ok,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pageCommit, pathOf, redirectPath } from "@countersign/route-browser";
import {
  APPOINTMENT_NUMBER,
  approvedTime,
  type BookingOffer,
  bookingTerms,
  bookingWish,
  confirmationOf,
  type ListedAppointment,
} from "../shared/booking.ts";
import { OTHER_CURRENCY, TAKEN } from "../shared/gaps.ts";
import { readAppointments } from "./appointments.ts";
import { againAtCheck, type Chosen, toCheck } from "./booking-pages.ts";
import { CURRENCY, look, visits } from "./page-text.ts";

/** Books a visit through the clinic's pages: the page to check is the last screen, its button the commitment. */
export const appointmentBook = pageCommit<BookingOffer, Chosen>(
  {
    operation: "healthcare.appointment.book",
    commits: [{ method: "POST", path: "/book/drafts/*/confirm" }],
    looking: "Looking for the first free time",
    async toLast(_ctx, session, { params, approved }, reference) {
      const wish = bookingWish(params);
      if (wish.currency !== CURRENCY) return gap(OTHER_CURRENCY);
      if (approved === undefined) return toCheck(session, wish, "first", reference);
      // Exactly the approved time, and not the first free one of now.
      const { serviceRef, practitionerRef, startsMs, endsMs } = approvedTime(approved);
      const same = { serviceRef, practitionerRef, earliestMs: startsMs, latestMs: endsMs };
      return toCheck(session, same, { startsMs }, reference);
    },
    again: (_ctx, session, chosen) => againAtCheck(session, chosen),
    draftOf: ({ path }) => path,
    terms: bookingTerms,

    /** The clinic answers a booking with its number alone; when and what is therefore the approved. */
    recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
      const path = redirectPath(answer, 303, record.route.origin) ?? "";
      const number = /^\/appointments\/([^/]+)\/booked$/.exec(path)?.[1] ?? "";
      if (APPOINTMENT_NUMBER.test(number))
        return { kind: "confirmed", ...confirmationOf(number, approvedTime(record)) };
      if (isPageWith(answer, 409, "This time is taken")) return { kind: "refused", why: TAKEN };
      if (isPageWith(answer, 422, "This visit was not booked"))
        return { kind: "refused", why: "the clinic cannot book this online" };
      if (isPageWith(answer, 410, "This booking has lapsed"))
        return { kind: "refused", why: "the clinic's last screen has lapsed" };
      return { kind: "unknown" };
    },

    async readBack(session, print, record) {
      const first = await lookFor(session, print, record);
      if (first.kind !== "none") return first;
      if (print.draft === undefined) return { kind: "absent" };
      // A list without the appointment is only half of it: one that was booked leads on from its page to check (STA-4).
      const waits = await stillToConfirm(session, print.draft);
      if (!waits.ok) return { kind: "sign_in" };
      if (waits.value) return { kind: "absent" };
      const late = await lookFor(session, print, record);
      return late.kind === "none" ? { kind: "unclear", why: "no such appointment, and its page is gone" } : late;
    },
  },
  visits,
);

async function lookFor(session: BrowserSession, print: Fingerprint, record: ActionRecord): Promise<Matched> {
  const seen = await readAppointments(session);
  return seen.ok ? matchOwn(seen.value.appointments, print, record, ownAppointments) : { kind: "sign_in" };
}

/**
 * How an appointment of the clinic's list is told to be a submission's. An equal one is one at the same time: the pages
 * show no references, and nobody is at two visits at once.
 */
export const ownAppointments: OwnActs<ListedAppointment> = {
  reference: (booked) => booked.ownReference,
  isWanted(booked, record) {
    const { startsMs, endsMs } = approvedTime(record);
    return booked.startsMs === startsMs && booked.endsMs === endsMs && booked.status !== "cancelled";
  },
  isAlike: (booked, record) => booked.startsMs === approvedTime(record).startsMs && booked.status === "booked",
  confirmation: (booked) => confirmationOf(booked.number, booked),
};

/** Whether the page to check still waits, or can become no appointment any more: lapsed, or its time is another's. */
function stillToConfirm(session: BrowserSession, draft: string): Promise<Attempt<boolean>> {
  return visits.visit(session, draft, async (page) => {
    if (pathOf(page) !== draft) return ok(false);
    const { heading } = await look(page);
    return ok(["Check your booking", "This booking has lapsed", "This time is taken"].includes(heading));
  });
}
