import { createHash } from "node:crypto";
import { createFailureLimit, type FailureLimit } from "../auth/credentials.ts";
import { createExpiringTable, type ExpiringTable } from "../auth/table.ts";
import { type Counters, zeroCounters } from "../control/counters.ts";
import { createRequestLog, type RequestLog } from "../control/request-log.ts";
import { createSwitches, type Switches } from "../control/switches.ts";
import type { Answer } from "../http/reply.ts";
import type { CheckoutChoice, Membership, Order, PracticeUser } from "./model.ts";
import { seedOrders } from "./orders.ts";
import type { Wanted } from "./pricing.ts";
import { type Random, randomToken } from "./random.ts";
import { ADDRESSES, DELIVERIES, INSTRUMENTS, seedMembership } from "./seed.ts";
import type { PaymentVerification } from "./verifications.ts";

/** Where a browser session stands. A visitor who has not given a password has no row at all. */
export type Session = { readonly stage: "second_factor"; readonly next: string } | { readonly stage: "signed_in" };

export interface Quote extends Wanted {
  readonly delivery: string;
  readonly address: string;
  readonly instrument: string;
  readonly expiresAtMs: number;
}

/** Everything the shop remembers. */
export interface ShopState {
  readonly sessions: ExpiringTable<Session>;
  readonly tokens: ExpiringTable<"api">;
  readonly challenges: ExpiringTable<"second_factor">;
  readonly quotes: ExpiringTable<Quote>;
  readonly previews: ExpiringTable<"cancellation">;
  /** Card payments that the bank wants confirmed, by id. */
  readonly verifications: Map<string, PaymentVerification>;
  /** Answers kept by Idempotency-Key: the request's digest and the answer it got. */
  readonly replies: Map<string, { readonly requestDigest: string; readonly answer: Answer }>;
  readonly failures: FailureLimit;
  /** By SKU, in the order of adding. Belongs to the account, so it outlives the session. */
  readonly cart: Map<string, number>;
  choice: CheckoutChoice;
  /** Oldest first. */
  orders: readonly Order[];
  lastOrderNumber: number;
  membership: Membership;
  counters: Counters;
}

export interface World {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: Random;
  readonly currency: string;
  readonly user: PracticeUser;
  readonly csrfKey: string;
  readonly switches: Switches;
  readonly log: RequestLog;
  readonly canaries: Set<string>;
  /** Digests of every token ever issued: an expired or ended one is still this shop's own. */
  readonly issuedTokens: Set<string>;
  state: ShopState;
}

export interface WorldOptions {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: Random;
  readonly currency: string;
  readonly user: PracticeUser;
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
    sessions: createExpiringTable(),
    tokens: createExpiringTable(),
    challenges: createExpiringTable(),
    quotes: createExpiringTable(),
    previews: createExpiringTable(),
    verifications: new Map(),
    replies: new Map(),
    failures: createFailureLimit(),
    cart: new Map(),
    choice: INITIAL_CHOICE,
    orders: seeded.orders,
    lastOrderNumber: seeded.lastOrderNumber,
    membership: seedMembership(options.now()),
    counters: zeroCounters(),
  };
}

export function createWorld(options: WorldOptions): World {
  return {
    ...options,
    csrfKey: randomToken(options.random),
    switches: createSwitches(),
    log: createRequestLog(),
    canaries: new Set(),
    issuedTokens: new Set(),
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

export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
