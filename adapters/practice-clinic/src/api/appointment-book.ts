import type { Answer, CommitAdapter, Found, Recognised } from "@countersign/plugin";
import {
  type Attempt,
  answerJson,
  gap,
  isJsonObject,
  type JsonObject,
  ok,
  parseInstant,
  SiteTrouble,
  wantsSignIn,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { destinationKey, type HttpSession } from "@countersign/route-http";
import {
  approvedTime,
  type BookingWish,
  bookingTerms,
  bookingWish,
  confirmationOf,
  type Fingerprint,
  fingerprintOf,
  isApproved,
  ownReference,
  readFingerprint,
  traceOf,
  withinWindow,
} from "../shared/booking.ts";
import { NO_FREE_TIME, noSuchPractitioner, noSuchService, OTHER_CURRENCY, TAKEN } from "../shared/gaps.ts";
import { CLOCK_SKEW_MS } from "../shared/limits.ts";
import { dayOf } from "../shared/local-time.ts";
import {
  type ApiAppointment,
  appointmentShape,
  appointmentsShape,
  bodyOf,
  type Draft,
  draftShape,
  errorCode,
  freeTimesShape,
  practitionersShape,
  servicesShape,
} from "./shapes.ts";
import { walk } from "./walk.ts";

const APPOINTMENTS = "/api/appointments";
const DRAFTS = "/api/booking-drafts";
const STATE = { v: 1 };

/** The draft that a session's held request books, for the observation that follows. */
const heldDrafts = new WeakMap<HttpSession, string>();

/** What ends a submission for certain: the clinic says in its own form that nothing was booked. */
const REFUSALS: Readonly<Record<string, readonly [status: number, why: string]>> = {
  time_taken: [409, TAKEN],
  booking_refused: [422, "the clinic cannot book this online"],
  draft_expired: [410, "the clinic's last screen has lapsed"],
};

/** Books a visit through the clinic's API: a draft is the last screen, `POST /api/appointments` the commitment. */
export const appointmentBook: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: "healthcare.appointment.book",
  commits: [{ method: "POST", path: APPOINTMENTS }],

  async prepare(ctx, session, params) {
    const wish = bookingWish(params);
    ctx.progress("times", "Looking for the first free time");
    const known = await checkRefs(session, wish);
    if (!known.ok) return known.reason;
    const times = await timesFor(session, wish);
    if (!times.ok) return times.reason;
    const [time] = withinWindow(times.value, wish);
    if (time === undefined) return { kind: "gap", why: NO_FREE_TIME };
    const draft = await askDraft(session, time.timeId, "");
    if (!draft.ok) return draft.reason;
    const { offer } = draft.value;
    if (offer.currency !== wish.currency) return { kind: "gap", why: OTHER_CURRENCY };
    return { kind: "ready", state: STATE, ...bookingTerms(session.origin, offer) };
  },

  async hold(_ctx, session, record, state) {
    // Adapter state of another version is refused, not guessed (decisions.md 12).
    if (state["v"] !== STATE.v) return { kind: "gap", why: "the task was prepared by another version" };
    // A draft of its own for the approved time, which carries the task's mark: the prepared one belongs to nobody.
    const draft = await draftOfApproved(session, record, ownReference(record));
    if (!draft.ok) return draft.reason;
    const { draftId } = draft.value;
    heldDrafts.set(session, draftId);
    const exchange = await session.hold(APPOINTMENTS, {
      method: "POST",
      body: { draft_id: draftId },
      headers: { "idempotency-key": await destinationKey(record) },
    });
    return { kind: "done", value: { exchange, fingerprint: fingerprintOf(record, draftId) } };
  },

  async observe(_ctx, session, record) {
    const held = heldDrafts.get(session);
    const draft: Attempt<Draft | undefined> =
      held === undefined ? await draftOfApproved(session, record, "") : await lookAtDraft(session, held);
    if (!draft.ok) return draft.reason;
    if (draft.value === undefined) return { kind: "gap", why: "the clinic's last screen has lapsed" };
    return { kind: "done", value: bookingTerms(session.origin, draft.value.offer) };
  },

  recognise(answer: Answer, record: ActionRecord): Recognised<JsonObject> {
    const json = answerJson(answer);
    if (answer.status === 201) {
      const booked = appointmentShape.safeParse(json);
      // An appointment of another kind is no confirmation of this one: the clinic is read back.
      if (!booked.success || !isOurs(booked.data, record)) return { kind: "unknown" };
      return { kind: "confirmed", ...confirmed(booked.data) };
    }
    const code = json === undefined || !isJsonObject(json) ? undefined : errorCode({ json });
    const refusal = code !== undefined && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
    return refusal !== undefined && refusal[0] === answer.status
      ? { kind: "refused", why: refusal[1] }
      : { kind: "unknown" };
  },

  trace: (record) => traceOf(record),

  async readBack(_ctx, session, submission): Promise<Found<JsonObject>> {
    const print = readFingerprint(submission.fingerprint);
    if (!print.ok) return { kind: "unclear", why: "the fingerprint is of another version" };
    const { record } = submission;
    const first = await look(session, print.value, record);
    if (first.kind !== "none") return first;
    if (print.value.draft === undefined) return { kind: "absent" };
    // A list without the appointment is only half of it: a draft that is booked is gone (STA-4).
    const draft = await lookAtDraft(session, print.value.draft);
    if (!draft.ok && draft.reason.kind === "sign_in") return draft.reason;
    if (draft.ok && draft.value !== undefined) return { kind: "absent" };
    // Booked since the list was read; or run out, or its time is somebody else's: then nothing can come of it any more.
    const late = await look(session, print.value, record);
    return late.kind === "none" ? { kind: "absent" } : late;
  },
};

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

async function askDraft(session: HttpSession, timeId: string, own: string): Promise<Attempt<Draft>> {
  const answer = await session.fetch(DRAFTS, { method: "POST", body: { time_id: timeId, own_reference: own } });
  if (answer.kind === "signed_out") return wantsSignIn();
  if (answer.status === 409 && errorCode(answer) === "time_taken") return gap(TAKEN);
  const draft = bodyOf(answer, 201, draftShape);
  if (draft.ok && draft.value.ownReference !== own) throw new SiteTrouble("the clinic did not keep the reference");
  return draft;
}

/** The last screen for exactly the approved time. */
async function draftOfApproved(session: HttpSession, record: ActionRecord, own: string): Promise<Attempt<Draft>> {
  const approved = approvedTime(record);
  const { serviceRef, practitionerRef, startsMs, endsMs } = approved;
  const times = await timesFor(session, { serviceRef, practitionerRef, earliestMs: startsMs, latestMs: endsMs });
  if (!times.ok) return times;
  const time = times.value.find((each) => isApproved(each, record));
  return time === undefined ? gap(TAKEN) : askDraft(session, time.timeId, own);
}

/** The draft at the price of this moment; undefined once it has run out or was booked. */
async function lookAtDraft(session: HttpSession, draftId: string): Promise<Attempt<Draft | undefined>> {
  const answer = await session.fetch(`${DRAFTS}/${encodeURIComponent(draftId)}`);
  if (answer.kind === "answer" && answer.status === 410 && errorCode(answer) === "draft_expired") return ok(undefined);
  if (answer.kind === "answer" && answer.status === 409 && errorCode(answer) === "time_taken") return gap(TAKEN);
  return bodyOf(answer, 200, draftShape);
}

type Looked = Found<JsonObject> | { readonly kind: "none" };

/** The appointments with the task's mark; and, where only the record has survived, those that are alike. */
async function look(session: HttpSession, print: Fingerprint, record: ActionRecord): Promise<Looked> {
  const query: Readonly<Record<string, string>> = print.alike ? {} : { own_reference: print.ownReference };
  const all = await walk(session, APPOINTMENTS, query, appointmentsShape, Number.POSITIVE_INFINITY);
  if (!all.ok) return all.reason.kind === "sign_in" ? all.reason : { kind: "unclear", why: all.reason.why };
  const [booked, ...others] = all.value.filter((each) => each.ownReference === print.ownReference);
  if (others.length > 0) return { kind: "unclear", why: "more than one appointment carries this task's mark" };
  if (booked !== undefined)
    return isApproved(booked, record) && booked.status !== "cancelled"
      ? { kind: "found", ...confirmed(booked) }
      : { kind: "unclear", why: "the appointment with this task's mark is another one, or was called off" };
  const created = parseInstant(record.created_at);
  const alike = all.value.some(
    (each) => created.ok && each.bookedMs >= created.value - CLOCK_SKEW_MS && isApproved(each, record),
  );
  return print.alike && alike
    ? { kind: "unclear", why: "an equal appointment was booked meanwhile" }
    : { kind: "none" };
}

function isOurs(booked: ApiAppointment, record: ActionRecord): boolean {
  return booked.status === "booked" && booked.ownReference === ownReference(record) && isApproved(booked, record);
}

function confirmed(booked: ApiAppointment) {
  const observed = booked.feeMinor === undefined ? {} : { currency: booked.currency, fee_minor: booked.feeMinor };
  return { ...confirmationOf(booked.number, booked), observed };
}
