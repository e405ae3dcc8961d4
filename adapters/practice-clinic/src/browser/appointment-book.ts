import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  type Fingerprint,
  fingerprintOf,
  type JsonObject,
  type Matched,
  matchOwn,
  type OwnActs,
  ok,
  ownReference,
  readFingerprint,
  traceOf,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, isPageWith, pathOf, redirectPath } from "@countersign/route-browser";
import {
  APPOINTMENT_NUMBER,
  approvedTime,
  bookingTerms,
  bookingWish,
  confirmationOf,
  type ListedAppointment,
} from "../shared/booking.ts";
import { OTHER_CURRENCY, TAKEN } from "../shared/gaps.ts";
import { HOLD_MS } from "../shared/limits.ts";
import { readAppointments } from "./appointments.ts";
import { againAtCheck, type Check, type Chosen, toCheck } from "./booking-pages.ts";
import { CURRENCY, look, visits } from "./page-text.ts";

const COMMIT = { method: "POST", path: "/book/drafts/*/confirm" } as const;
const STATE = { v: 1 };

/** The page that a session's held request confirms, for the observation that follows. */
const heldChecks = new WeakMap<BrowserSession, Chosen>();

/** Books a visit through the clinic's pages: the page to check is the last screen, its button the commitment. */
export const appointmentBook: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession> = {
  effect: "commit",
  operation: "healthcare.appointment.book",
  commits: [COMMIT],

  async prepare(ctx, session, params) {
    const wish = bookingWish(params);
    if (wish.currency !== CURRENCY) return { kind: "gap", why: OTHER_CURRENCY };
    ctx.progress("times", "Looking for the first free time");
    const check = await toCheck(session, wish, "first", "");
    if (!check.ok) return check.reason;
    await check.value.page.close().catch(() => {});
    return { kind: "ready", state: STATE, ...bookingTerms(session.origin, check.value.offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    const check = await toCheckOfApproved(session, record, ownReference(record));
    if (!check.ok) return check.reason;
    const { page, chosen } = check.value;
    heldChecks.set(session, chosen);
    const button = page.getByRole("button", { name: "Book this visit", exact: true });
    const exchange = await visits.onPage(session, () =>
      session.hold(() => button.click(), { pattern: COMMIT, timeoutMs: HOLD_MS }),
    );
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, chosen.path) } };
  },

  async observe(_ctx, session, record) {
    const held = heldChecks.get(session);
    if (held !== undefined) {
      const offer = await againAtCheck(session, held);
      return offer.ok ? { kind: "done", value: bookingTerms(session.origin, offer.value) } : offer.reason;
    }
    const check = await toCheckOfApproved(session, record, "");
    if (!check.ok) return check.reason;
    await check.value.page.close().catch(() => {});
    return { kind: "done", value: bookingTerms(session.origin, check.value.offer) };
  },

  /** The clinic answers a booking with its number alone; when and what is therefore the approved. */
  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const path = redirectPath(answer, 303, record.route.origin) ?? "";
    const number = /^\/appointments\/([^/]+)\/booked$/.exec(path)?.[1] ?? "";
    if (APPOINTMENT_NUMBER.test(number)) return { kind: "confirmed", ...confirmationOf(number, approvedTime(record)) };
    if (isPageWith(answer, 409, "This time is taken")) return { kind: "refused", why: TAKEN };
    if (isPageWith(answer, 422, "This visit was not booked"))
      return { kind: "refused", why: "the clinic cannot book this online" };
    if (isPageWith(answer, 410, "This booking has lapsed"))
      return { kind: "refused", why: "the clinic's last screen has lapsed" };
    return { kind: "unknown" };
  },

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const { record } = submission;
    const first = await lookFor(session, print.value, record);
    if (first.kind !== "none") return first;
    if (print.value.draft === undefined) return { kind: "absent" };
    // A list without the appointment is only half of it: one that was booked leads on from its page to check (STA-4).
    const waits = await stillToConfirm(session, print.value.draft);
    if (!waits.ok) return { kind: "sign_in" };
    if (waits.value) return { kind: "absent" };
    const late = await lookFor(session, print.value, record);
    return late.kind === "none" ? { kind: "unclear", why: "no such appointment, and its page is gone" } : late;
  },
};

/** The last page for exactly the approved time. */
function toCheckOfApproved(session: BrowserSession, record: ActionRecord, own: string): Promise<Attempt<Check>> {
  const { serviceRef, practitionerRef, startsMs, endsMs } = approvedTime(record);
  const wish = { serviceRef, practitionerRef, earliestMs: startsMs, latestMs: endsMs };
  return toCheck(session, wish, { startsMs }, own);
}

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
