import { createExpiringTable, type ExpiringTable } from "../auth/table.ts";
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
import { dayOf } from "./days.ts";
import type { ApiKey, Bill, Change, ContractState, Payment, Reading, Wish } from "./model.ts";
import { billsAt, FIRST_PRESET, FIRST_SETTINGS, readingsAt } from "./seed.ts";
import { createUtilitySwitches, type UtilitySwitches } from "./switches.ts";

export interface UtilityCounters extends SiteCounters {
  /** Payments taken through a commit endpoint. */
  payments: number;
  planChanges: number;
  autopayChanges: number;
  /** Keys that the person has made. */
  keys: number;
}

/** Everything Northlight remembers. */
export interface UtilityState extends SiteState {
  readonly bills: readonly Bill[];
  readonly readings: readonly Reading[];
  settings: Readonly<Record<string, ContractState>>;
  preset: string;
  /** What was begun and not yet confirmed; `done` is what came of it. */
  readonly drafts: ExpiringTable<Wish & { readonly done?: string }>;
  /** Oldest first, as are the next ones. */
  payments: readonly Payment[];
  changes: readonly Change[];
  keys: readonly ApiKey[];
  /** Every key ever made, whole: who looks for leaks must know what to look for. No page and no answer shows it again. */
  issued: readonly string[];
  lastNumber: number;
  readonly counters: UtilityCounters;
}

export interface UtilityWorld extends SiteWorld {
  readonly switches: UtilitySwitches;
  state: UtilityState;
}

const FIRST_NUMBER = 88_010;

function openingState(options: SiteOptions): UtilityState {
  const today = dayOf(options.now());
  return {
    ...siteState(),
    bills: billsAt(today),
    readings: readingsAt(today),
    settings: FIRST_SETTINGS,
    preset: FIRST_PRESET,
    drafts: createExpiringTable(),
    payments: [],
    changes: [],
    keys: [],
    issued: [],
    lastNumber: FIRST_NUMBER,
    counters: { ...zeroSiteCounters(), payments: 0, planChanges: 0, autopayChanges: 0, keys: 0 },
  };
}

export function createUtilityWorld(options: SiteOptions): UtilityWorld {
  const switches = createUtilitySwitches();
  return {
    ...options,
    ...siteParts(options),
    cookie: "nl_session",
    switches,
    faults: commonFaults(switches),
    state: openingState(options),
  };
}

/** Back to opening time: data, sessions, keys, switches, counters, log. */
export function resetUtilityWorld(world: UtilityWorld): void {
  world.switches.reset();
  world.log.clear();
  world.canaries.clear();
  world.state = openingState(world);
}
