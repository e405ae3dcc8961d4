import { createExpiringTable, type ExpiringTable } from "../auth/table.ts";
import { dayOf } from "../bank/days.ts";
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
import type { Claim, Draft, Ticket, Wish } from "./model.ts";
import { claimsAt } from "./seed.ts";
import { createInsurerSwitches, type InsurerSwitches } from "./switches.ts";

export interface InsurerCounters extends SiteCounters {
  /** Claims taken through a commit endpoint. */
  claims: number;
  /** Times that a session's cookie was changed. */
  rotations: number;
  /** Tickets with which the claims company's frame was opened, and those that came a second time or too late. */
  ticketsUsed: number;
  ticketsRefused: number;
}

/** Everything the insurer and its claims company remember. */
export interface InsurerState extends SiteState {
  readonly quotes: ExpiringTable<Wish & { readonly expiresAtMs: number }>;
  /** One-time tickets for the frame, by their text. */
  readonly tickets: ExpiringTable<Ticket>;
  /** Oldest first. */
  drafts: readonly Draft[];
  lastDraftNumber: number;
  /** Oldest first. */
  claims: readonly Claim[];
  lastClaimNumber: number;
  /** Every cookie that programs were given, oldest first: who looks for leaks must know what to look for. */
  issued: readonly string[];
  readonly counters: InsurerCounters;
}

export interface InsurerWorld extends SiteWorld {
  readonly switches: InsurerSwitches;
  /** Known once both ports are open. */
  readonly places: { portal: string; claims: string };
  readonly openedAtMs: number;
  state: InsurerState;
}

export const INSURER_COOKIE = "fairhaven_session";
const FIRST_CLAIM_NUMBER = 240_900;
const FIRST_DRAFT_NUMBER = 5_100;

function openingState(options: SiteOptions): InsurerState {
  return {
    ...siteState(),
    quotes: createExpiringTable(),
    tickets: createExpiringTable(),
    drafts: [],
    lastDraftNumber: FIRST_DRAFT_NUMBER,
    claims: claimsAt(dayOf(options.now()), options.now()),
    lastClaimNumber: FIRST_CLAIM_NUMBER,
    issued: [],
    counters: { ...zeroSiteCounters(), claims: 0, rotations: 0, ticketsUsed: 0, ticketsRefused: 0 },
  };
}

export function createInsurerWorld(options: SiteOptions): InsurerWorld {
  const switches = createInsurerSwitches();
  return {
    ...options,
    ...siteParts(options),
    cookie: INSURER_COOKIE,
    places: { portal: "", claims: "" },
    openedAtMs: options.now(),
    switches,
    faults: commonFaults(switches),
    state: openingState(options),
  };
}

/**
 * The same world as the claims company's server sees it. Browsers send cookies to every port of a host, and those of
 * another company's would never arrive: here they are none of its business.
 */
export function claimsView(world: InsurerWorld): InsurerWorld {
  return Object.create(world, { cookie: { value: "brightwell_visit", enumerable: true } });
}

/** Back to opening time: data, sessions, switches, counters, log. */
export function resetInsurerWorld(world: InsurerWorld): void {
  world.switches.reset();
  world.log.clear();
  world.canaries.clear();
  world.state = openingState(world);
}
