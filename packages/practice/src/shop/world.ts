import { createExpiringTable, type ExpiringTable } from "../auth/table.ts";
import { type Counters, zeroCounters } from "../control/counters.ts";
import { createSwitches, type Switches } from "../control/switches.ts";
import { commonFaults } from "../site/switches.ts";
import { type SiteOptions, type SiteState, type SiteWorld, siteParts, siteState } from "../site/world.ts";
import type { CheckoutChoice, Membership, Order } from "./model.ts";
import { seedOrders } from "./orders.ts";
import type { Wanted } from "./pricing.ts";
import { ADDRESSES, DELIVERIES, INSTRUMENTS, seedMembership } from "./seed.ts";
import type { PaymentVerification } from "./verifications.ts";

export interface Quote extends Wanted {
  readonly delivery: string;
  readonly address: string;
  readonly instrument: string;
  readonly expiresAtMs: number;
}

/** Everything the shop remembers. */
export interface ShopState extends SiteState {
  readonly tokens: ExpiringTable<"api">;
  readonly challenges: ExpiringTable<"second_factor">;
  readonly quotes: ExpiringTable<Quote>;
  readonly previews: ExpiringTable<"cancellation">;
  /** Card payments that the bank wants confirmed, by id. */
  readonly verifications: Map<string, PaymentVerification>;
  /** By SKU, in the order of adding. Belongs to the account, so it outlives the session. */
  readonly cart: Map<string, number>;
  choice: CheckoutChoice;
  /** When the shop opened, or was reset. */
  readonly openedAtMs: number;
  /** Oldest first. */
  orders: readonly Order[];
  lastOrderNumber: number;
  membership: Membership;
  readonly counters: Counters;
}

export interface World extends SiteWorld {
  readonly currency: string;
  readonly switches: Switches;
  state: ShopState;
}

export interface WorldOptions extends SiteOptions {
  readonly currency: string;
}

export const INITIAL_CHOICE: CheckoutChoice = {
  delivery: DELIVERIES[0].id,
  address: ADDRESSES[0].id,
  instrument: INSTRUMENTS[0].id,
  note: "",
};

function openingState(options: WorldOptions): ShopState {
  const seeded = seedOrders(options.now(), options.currency, options.random);
  return {
    ...siteState(),
    tokens: createExpiringTable(),
    challenges: createExpiringTable(),
    quotes: createExpiringTable(),
    previews: createExpiringTable(),
    verifications: new Map(),
    cart: new Map(),
    choice: INITIAL_CHOICE,
    openedAtMs: options.now(),
    orders: seeded.orders,
    lastOrderNumber: seeded.lastOrderNumber,
    membership: seedMembership(options.now()),
    counters: zeroCounters(),
  };
}

export function createWorld(options: WorldOptions): World {
  const switches = createSwitches();
  return {
    ...options,
    ...siteParts(options),
    cookie: "hh_session",
    switches,
    faults: commonFaults(switches),
    state: openingState(options),
  };
}

/** Back to opening time: data, sessions, switches, counters, log. Tokens issued before stay the shop's own. */
export function resetWorld(world: World): void {
  world.switches.reset();
  world.log.clear();
  world.canaries.clear();
  world.state = openingState(world);
}
