import { parseObject } from "../../http/body.ts";
import type { Exchange } from "../../http/exchange.ts";
import { type Answer, json, type Reply } from "../../http/reply.ts";
import { DRAFT_MS } from "../../limits.ts";
import { underKey } from "../../site/idempotency.ts";
import { randomToken } from "../../site/random.ts";
import { appointmentsOf, book, freeTimes, offerOf, take } from "../diary.ts";
import type { Wish } from "../model.ts";
import { practitionerOf, serviceOf } from "../seed.ts";
import { isDay } from "../time.ts";
import type { ClinicWorld } from "../world.ts";
import { appointmentWire, freeTimeWire, offerWire, refuseClinic } from "./wire.ts";

/** Rows of one answer. */
const PAGE_ROWS = 40;

interface Paged<T> {
  readonly rows: readonly T[];
  readonly next?: string;
}

/** A list in parts: `after` is how many rows have been given. */
function paged<T>(rows: readonly T[], after: string | null): Paged<T> | undefined {
  if (after !== null && !/^\d{1,6}$/.test(after)) return undefined;
  const from = Number(after ?? "0");
  const end = from + PAGE_ROWS;
  return { rows: rows.slice(from, end), ...(end < rows.length ? { next: String(end) } : {}) };
}

/** The days of a list; undefined when they are none. */
function windowOf(exchange: Exchange): { readonly from?: string; readonly to?: string } | undefined {
  const { searchParams } = exchange.url;
  const [from, to] = [searchParams.get("from"), searchParams.get("to")];
  if ((from !== null && !isDay(from)) || (to !== null && !isDay(to))) return undefined;
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
}

export function listFreeTimes(world: ClinicWorld, exchange: Exchange): Answer {
  const { searchParams } = exchange.url;
  const days = windowOf(exchange);
  const service = serviceOf(searchParams.get("service") ?? "");
  const asked = searchParams.get("practitioner");
  const practitioner = asked === null ? undefined : practitionerOf(asked);
  if (days === undefined) return refuseClinic("invalid_request");
  if (service === undefined) return refuseClinic("unknown_service");
  if (asked !== null && practitioner === undefined) return refuseClinic("unknown_practitioner");
  if (practitioner !== undefined && !practitioner.does.includes(service.id)) return refuseClinic("not_done_by");
  const times = freeTimes(world, { service, ...days, ...(practitioner === undefined ? {} : { practitioner }) });
  const part = paged(times, searchParams.get("after"));
  if (part === undefined) return refuseClinic("invalid_request");
  const next = part.next === undefined ? {} : { next: part.next };
  return json(200, { free_times: part.rows.map(freeTimeWire), total: times.length, ...next });
}

function wishOf(body: Readonly<Record<string, unknown>> | undefined): Wish | undefined {
  const { time_id: timeId, own_reference: ownReference = "" } = body ?? {};
  return typeof timeId === "string" && typeof ownReference === "string" ? { timeId, ownReference } : undefined;
}

function draftAnswer(world: ClinicWorld, status: number, draftId: string, wish: Wish): Answer {
  const offer = offerOf(world, wish);
  return typeof offer === "string"
    ? refuseClinic(offer)
    : json(status, { draft_id: draftId, ...offerWire(offer, world.user.name) });
}

export function makeDraft(world: ClinicWorld, exchange: Exchange): Answer {
  const wish = wishOf(parseObject(exchange.body));
  if (wish === undefined) return refuseClinic("invalid_request");
  const draftId = `bd_${randomToken(world.random)}`;
  const answer = draftAnswer(world, 201, draftId, wish);
  if (answer.status === 201) world.state.drafts.put(draftId, wish, world.now() + DRAFT_MS);
  return answer;
}

/** The last screen as it is now: it keeps the wish, not what it costs, and it keeps no time free. */
export function showDraft(world: ClinicWorld, exchange: Exchange): Answer {
  const draftId = exchange.params["draft"] ?? "";
  const draft = world.state.drafts.get(draftId, world.now());
  if (draft === undefined || draft.booked !== undefined) return refuseClinic("draft_expired");
  return draftAnswer(world, 200, draftId, draft);
}

/** The commit. The clinic takes none without a key, and an equal repeat gets the first one's answer. */
export function submitBooking(world: ClinicWorld, exchange: Exchange): Reply {
  const draftId = parseObject(exchange.body)?.["draft_id"];
  if (typeof draftId !== "string") return refuseClinic("invalid_request");
  if (exchange.headers["idempotency-key"] === undefined) return refuseClinic("idempotency_key_missing");
  return underKey(world, exchange, refuseClinic, () => {
    const draft = world.state.drafts.get(draftId, world.now());
    if (draft === undefined || draft.booked !== undefined) return refuseClinic("draft_expired");
    if (world.switches.take("refuse", { commit: "booking" })) return refuseClinic("booking_refused");
    const offer = offerOf(world, draft);
    if (typeof offer === "string") return refuseClinic(offer);
    if (world.switches.take("takenMeanwhile")) {
      take(world, offer);
      return refuseClinic("time_taken");
    }
    const appointment = book(world, offer);
    world.state.drafts.put(draftId, { ...draft, booked: appointment.number }, world.now() + DRAFT_MS);
    world.state.counters.bookings += 1;
    const answer = json(201, appointmentWire(appointment, world.user.name), {
      location: `/api/appointments/${appointment.number}`,
    });
    return { kind: "committed", commit: "booking", answer, landing: () => answer };
  });
}

/** The one furthest ahead first; `own_reference` narrows to those that the person marked so. */
export function listAppointments(world: ClinicWorld, exchange: Exchange): Answer {
  const days = windowOf(exchange);
  if (days === undefined) return refuseClinic("invalid_request");
  const own = exchange.url.searchParams.get("own_reference");
  const all = appointmentsOf(world, days).filter((each) => own === null || each.ownReference === own);
  const part = paged(all, exchange.url.searchParams.get("after"));
  if (part === undefined) return refuseClinic("invalid_request");
  const next = part.next === undefined ? {} : { next: part.next };
  const appointments = part.rows.map((each) => appointmentWire(each, world.user.name));
  return json(200, { appointments, total: all.length, ...next });
}

export function showAppointment(world: ClinicWorld, exchange: Exchange): Answer {
  const found = appointmentsOf(world).find(({ number }) => number === exchange.params["number"]);
  return found === undefined ? refuseClinic("not_found") : json(200, appointmentWire(found, world.user.name));
}
