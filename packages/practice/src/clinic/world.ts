import { createExpiringTable, type ExpiringTable } from "../auth/table.ts";
import type { Challenge } from "../site/second-factor.ts";
import { commonFaults } from "../site/switches.ts";
import {
  type SiteCounters,
  type SiteOptions,
  type SiteState,
  type SiteWorld,
  siteParts,
  siteState,
  zeroSiteCounters,
} from "../site/world.ts";
import type { Appointment, Wish } from "./model.ts";
import { FIRST_BOOKED_NUMBER, seedAppointments } from "./seed.ts";
import { type ClinicSwitches, createClinicSwitches } from "./switches.ts";
import { localOf } from "./time.ts";

export interface ClinicCounters extends SiteCounters {
  /** Appointments booked through a commit endpoint. */
  bookings: number;
}

/** A program that is signed in: until when at the latest, however busy it is. */
export interface ApiToken {
  readonly endsAtMs: number;
}

/** Everything the clinic remembers. */
export interface ClinicState extends SiteState {
  readonly challenges: ExpiringTable<Challenge>;
  /** By token; a row ends when the program has been idle for too long. */
  readonly tokens: ExpiringTable<ApiToken>;
  /** Every token that programs were given, oldest first: who looks for leaks must know what to look for. */
  issued: readonly string[];
  /** Bookings that were begun, by id: what stands on the last screen. */
  readonly drafts: ExpiringTable<Wish & { readonly booked?: string }>;
  /** Oldest booking first. */
  appointments: readonly Appointment[];
  /** Times that are taken beside what the diary's pattern takes: `practitioner@start`. */
  readonly taken: Set<string>;
  lastNumber: number;
  readonly counters: ClinicCounters;
}

export interface ClinicWorld extends SiteWorld {
  readonly switches: ClinicSwitches;
  state: ClinicState;
}

function openingState(options: SiteOptions): ClinicState {
  return {
    ...siteState(),
    challenges: createExpiringTable(),
    tokens: createExpiringTable(),
    issued: [],
    drafts: createExpiringTable(),
    appointments: seedAppointments(localOf(options.now()).day),
    taken: new Set(),
    lastNumber: FIRST_BOOKED_NUMBER,
    counters: { ...zeroSiteCounters(), bookings: 0 },
  };
}

export function createClinicWorld(options: SiteOptions): ClinicWorld {
  const switches = createClinicSwitches();
  return {
    ...options,
    ...siteParts(options),
    cookie: "es_session",
    switches,
    faults: commonFaults(switches),
    state: openingState(options),
  };
}

/** Back to opening time: data, sessions, switches, counters, log. Tokens issued before stay the clinic's own. */
export function resetClinicWorld(world: ClinicWorld): void {
  world.switches.reset();
  world.log.clear();
  world.canaries.clear();
  world.state = openingState(world);
}
