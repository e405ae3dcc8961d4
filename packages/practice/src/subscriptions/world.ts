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
import { dayOf } from "./days.ts";
import type { Cancellation, Holder, HolderChange, HolderWish, PlanChange, Subscription } from "./model.ts";
import { HOLDER, seedSubscriptions } from "./seed.ts";
import { createLanternSwitches, type LanternSwitches } from "./switches.ts";

export interface LanternCounters extends SiteCounters {
  cancels: number;
  planChanges: number;
  addressChanges: number;
  contactChanges: number;
  /** Offers for staying that were taken up: no adapter ever does. */
  offersTaken: number;
}

/** What somebody is about to do, by the API (a preview) or on the pages (the steps so far). `done` is what came of it. */
export type Intent = (
  | { readonly kind: "cancel"; readonly subscription: string; readonly step: number }
  | { readonly kind: "plan"; readonly subscription: string; readonly plan: string }
  | { readonly kind: "holder"; readonly wish: HolderWish }
) & { readonly expiresAtMs: number; readonly done?: string };

export interface LanternState extends SiteState {
  readonly challenges: ExpiringTable<Challenge>;
  readonly tokens: ExpiringTable<"api">;
  readonly intents: ExpiringTable<Intent>;
  /** Every token that programs were given, oldest first. */
  issued: readonly string[];
  subscriptions: readonly Subscription[];
  holder: Holder;
  /** Oldest first, all three. */
  cancellations: readonly Cancellation[];
  planChanges: readonly PlanChange[];
  holderChanges: readonly HolderChange[];
  lastNumber: number;
  readonly counters: LanternCounters;
}

export interface LanternWorld extends SiteWorld {
  readonly switches: LanternSwitches;
  state: LanternState;
}

const FIRST_NUMBER = 71_300;

function openingState(options: SiteOptions): LanternState {
  return {
    ...siteState(),
    challenges: createExpiringTable(),
    tokens: createExpiringTable(),
    intents: createExpiringTable(),
    issued: [],
    subscriptions: seedSubscriptions(dayOf(options.now())),
    holder: HOLDER,
    cancellations: [],
    planChanges: [],
    holderChanges: [],
    lastNumber: FIRST_NUMBER,
    counters: {
      ...zeroSiteCounters(),
      cancels: 0,
      planChanges: 0,
      addressChanges: 0,
      contactChanges: 0,
      offersTaken: 0,
    },
  };
}

export function createLanternWorld(options: SiteOptions): LanternWorld {
  const switches = createLanternSwitches();
  return {
    ...options,
    ...siteParts(options),
    cookie: "lantern_session",
    switches,
    faults: commonFaults(switches),
    state: openingState(options),
  };
}

/** Back to opening time: data, sessions, switches, counters, log. Tokens issued before stay the service's own. */
export function resetLanternWorld(world: LanternWorld): void {
  world.switches.reset();
  world.log.clear();
  world.canaries.clear();
  world.state = openingState(world);
}

/** What the person has and what is kept of them are as at opening time; what was done stays counted. */
export function restoreContracts(world: LanternWorld): void {
  world.state.subscriptions = seedSubscriptions(dayOf(world.now()));
  world.state.holder = HOLDER;
}
