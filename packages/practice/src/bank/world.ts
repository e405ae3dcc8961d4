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
import type { Entry, Transfer, Wish } from "./model.ts";
import { seedEntries } from "./seed.ts";
import { type BankSwitches, createBankSwitches } from "./switches.ts";

export interface BankCounters extends SiteCounters {
  /** Transfers sent or scheduled through a commit endpoint. */
  transfers: number;
  /** Access tokens that a refresh token brought. */
  refreshes: number;
  /** Refresh tokens that came a second time: each ended its whole sign-in. */
  refreshReuses: number;
  /** Times that the person let a program in. */
  authorizations: number;
}

/** A sign-in of a program that the person has let in: every token of it ends together. */
export interface TokenFamily {
  readonly id: string;
  readonly scope: string;
  refreshToken: string;
  alive: boolean;
}

export interface AuthorizationCode {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** PKCE's S256 challenge. */
  readonly challenge: string;
}

/** Everything the bank remembers. */
export interface BankState extends SiteState {
  readonly codes: ExpiringTable<AuthorizationCode>;
  readonly accessTokens: ExpiringTable<TokenFamily>;
  /** By every refresh token ever issued, the spent ones too: a spent one that comes again is a thief's or a twin's. */
  readonly refreshTokens: ExpiringTable<TokenFamily>;
  readonly quotes: ExpiringTable<Wish & { readonly expiresAtMs: number }>;
  /** Payments that the pages have begun, by id: what stands on the review page. */
  readonly drafts: ExpiringTable<Wish & { readonly sent?: string }>;
  /** Every token that programs were given, oldest first: who looks for leaks must know what to look for. */
  issued: readonly string[];
  /** Oldest first. */
  entries: readonly Entry[];
  /** Oldest first. */
  transfers: readonly Transfer[];
  lastTransferNumber: number;
  readonly counters: BankCounters;
}

export interface BankWorld extends SiteWorld {
  readonly switches: BankSwitches;
  state: BankState;
}

const FIRST_TRANSFER_NUMBER = 552_040;

function openingState(options: SiteOptions): BankState {
  return {
    ...siteState(),
    codes: createExpiringTable(),
    accessTokens: createExpiringTable(),
    refreshTokens: createExpiringTable(),
    quotes: createExpiringTable(),
    drafts: createExpiringTable(),
    issued: [],
    entries: seedEntries(dayOf(options.now())),
    transfers: [],
    lastTransferNumber: FIRST_TRANSFER_NUMBER,
    counters: { ...zeroSiteCounters(), transfers: 0, refreshes: 0, refreshReuses: 0, authorizations: 0 },
  };
}

export function createBankWorld(options: SiteOptions): BankWorld {
  const switches = createBankSwitches();
  return {
    ...options,
    ...siteParts(options),
    cookie: "qb_session",
    switches,
    faults: commonFaults(switches),
    state: openingState(options),
  };
}

/** Back to opening time: data, sessions, switches, counters, log. Tokens issued before stay the bank's own. */
export function resetBankWorld(world: BankWorld): void {
  world.switches.reset();
  world.log.clear();
  world.canaries.clear();
  world.state = openingState(world);
}
