import { createHash } from "node:crypto";
import type { Appointment, FreeTime, Offer, Practitioner, Service, Wish } from "./model.ts";
import { PRACTITIONERS, practitionerOf, serviceOf } from "./seed.ts";
import { atLocal, dayAfter, localOf, weekdayOf } from "./time.ts";
import type { ClinicWorld } from "./world.ts";

// The diary is a grid of twenty minutes a practitioner and working day. What other patients have taken follows from a
// digest of the cell, so it is the same at every start; what is booked here comes on top.

const CELL_MINUTES = 20;
const MINUTE_MS = 60_000;
/** Mornings and afternoons, in minutes since midnight. */
const HOURS = [
  [500, 760],
  [820, 1_040],
] as const;
/** So far ahead the diary is open. */
const OPEN_DAYS = 28;
/** Of sixteen cells so many are free. */
const FREE_OF_16 = 7;
const FREE_UNTIL_MS = 24 * 60 * MINUTE_MS;
export const OWN_REFERENCE_LENGTH_MAX = 40;

function cellKey(practitioner: Practitioner, startsAtMs: number): string {
  return `${practitioner.id}@${startsAtMs}`;
}

function isCellFree(world: ClinicWorld, practitioner: Practitioner, startsAtMs: number): boolean {
  const key = cellKey(practitioner, startsAtMs);
  if (world.state.taken.has(key)) return false;
  return (createHash("sha256").update(key).digest()[0] ?? 0) % 16 < FREE_OF_16;
}

function cellsOf(service: Service, startsAtMs: number): readonly number[] {
  return Array.from({ length: service.minutes / CELL_MINUTES }, (_, at) => startsAtMs + at * CELL_MINUTES * MINUTE_MS);
}

function isWeekend(day: string): boolean {
  const weekday = weekdayOf(day);
  return weekday === 0 || weekday === 6;
}

function isOpen(day: string, minutes: number, service: Service): boolean {
  if (isWeekend(day)) return false;
  return HOURS.some(
    ([from, to]) => minutes >= from && minutes + service.minutes <= to && (minutes - from) % CELL_MINUTES === 0,
  );
}

/** `ft-check-up.pr-1.1796721600`: what a time is called at the clinic. */
function timeId(service: Service, practitioner: Practitioner, startsAtMs: number): string {
  return `ft-${service.id}.${practitioner.id}.${startsAtMs / 1000}`;
}

function freeTime(service: Service, practitioner: Practitioner, startsAtMs: number): FreeTime {
  const endsAtMs = startsAtMs + service.minutes * MINUTE_MS;
  return { id: timeId(service, practitioner, startsAtMs), service, practitioner, startsAtMs, endsAtMs };
}

function isFree(world: ClinicWorld, time: FreeTime): boolean {
  const { service, practitioner, startsAtMs } = time;
  const { day, minutes } = localOf(startsAtMs);
  const lastDay = dayAfter(localOf(world.now()).day, OPEN_DAYS);
  if (startsAtMs <= world.now() || day > lastDay || !isOpen(day, minutes, service)) return false;
  return areCellsFree(world, service, practitioner, startsAtMs);
}

function areCellsFree(world: ClinicWorld, service: Service, practitioner: Practitioner, startsAtMs: number): boolean {
  return cellsOf(service, startsAtMs).every((cell) => isCellFree(world, practitioner, cell));
}

export interface Wanted {
  readonly service: Service;
  /** Absent: anybody who does it. */
  readonly practitioner?: Practitioner;
  /** Days, both included. */
  readonly from?: string;
  readonly to?: string;
}

/** The free times of a service, soonest first. */
export function freeTimes(world: ClinicWorld, wanted: Wanted): readonly FreeTime[] {
  const { service } = wanted;
  const today = localOf(world.now()).day;
  const able = PRACTITIONERS.filter(
    (each) => each.does.includes(service.id) && (wanted.practitioner === undefined || wanted.practitioner === each),
  );
  const times: FreeTime[] = [];
  for (let ahead = 0; ahead <= OPEN_DAYS; ahead += 1) {
    const day = dayAfter(today, ahead);
    if (day < (wanted.from ?? day) || day > (wanted.to ?? day) || isWeekend(day)) continue;
    for (const [from, to] of HOURS) {
      for (let minutes = from; minutes + service.minutes <= to; minutes += CELL_MINUTES) {
        const startsAtMs = atLocal({ day, minutes });
        if (startsAtMs <= world.now()) continue;
        for (const practitioner of able)
          if (areCellsFree(world, service, practitioner, startsAtMs))
            times.push(freeTime(service, practitioner, startsAtMs));
      }
    }
  }
  return times;
}

function timeOf(id: string): FreeTime | undefined {
  const [, serviceId = "", practitionerId = "", seconds = ""] = /^ft-([a-z-]+)\.(pr-\d+)\.(\d{1,12})$/.exec(id) ?? [];
  const service = serviceOf(serviceId);
  const practitioner = practitionerOf(practitionerId);
  if (service === undefined || practitioner?.does.includes(service.id) !== true) return undefined;
  return freeTime(service, practitioner, Number(seconds) * 1000);
}

export type WishProblem = "invalid_request" | "unknown_time" | "time_taken";

/** What the clinic says of a wish at this moment; what it costs is what it costs now. */
export function offerOf(world: ClinicWorld, wish: Wish): Offer | WishProblem {
  const time = timeOf(wish.timeId);
  if (time === undefined) return "unknown_time";
  if (!/^[\w .-]*$/.test(wish.ownReference) || wish.ownReference.length > OWN_REFERENCE_LENGTH_MAX)
    return "invalid_request";
  if (!isFree(world, time)) return "time_taken";
  const freeUntilMs = time.startsAtMs - FREE_UNTIL_MS;
  return {
    ...time,
    ownReference: wish.ownReference,
    copayMinor: Math.max(0, time.service.copayMinor + world.switches.copayDeltaMinor()),
    noShowMinor: time.service.noShowMinor,
    ...(freeUntilMs > world.now() ? { freeUntilMs } : {}),
  };
}

/** The time is somebody else's now. */
export function take(world: ClinicWorld, time: FreeTime): void {
  for (const cell of cellsOf(time.service, time.startsAtMs)) world.state.taken.add(cellKey(time.practitioner, cell));
}

/** Books at what it costs now, whatever the person saw before. */
export function book(world: ClinicWorld, offer: Offer): Appointment {
  const { state } = world;
  take(world, offer);
  state.lastNumber += 1 + ((world.random(1)[0] ?? 0) % 9);
  const { service, practitioner, startsAtMs, endsAtMs, ownReference, copayMinor } = offer;
  const appointment: Appointment = {
    number: `AP-${state.lastNumber}`,
    service,
    practitioner,
    startsAtMs,
    endsAtMs,
    status: "booked",
    ownReference,
    copayMinor,
    bookedAtMs: world.now(),
  };
  state.appointments = [...state.appointments, appointment];
  return appointment;
}

/** A person's appointments, the one furthest ahead first; what is over is past. */
export function appointmentsOf(
  world: ClinicWorld,
  window: { readonly from?: string; readonly to?: string } = {},
): readonly Appointment[] {
  return world.state.appointments
    .filter(({ startsAtMs }) => {
      const { day } = localOf(startsAtMs);
      return day >= (window.from ?? day) && day <= (window.to ?? day);
    })
    .map((each) =>
      each.status === "booked" && each.endsAtMs < world.now() ? { ...each, status: "past" as const } : each,
    )
    .toSorted((a, b) => b.startsAtMs - a.startsAtMs || (a.number < b.number ? 1 : -1));
}
