import { VERIFICATION_CODES_MAX, VERIFICATION_MS } from "../limits.ts";
import { type Random, randomToken } from "../site/random.ts";
import type { Order } from "./model.ts";
import { type OrderWish, placeOrder } from "./orders.ts";
import type { World } from "./world.ts";

/** A card payment that the bank wants confirmed by its customer before the order is placed. */
export interface PaymentVerification {
  readonly id: string;
  /** What the bank's message to its customer says. */
  readonly code: string;
  readonly wish: OrderWish;
  readonly expiresAtMs: number;
  /** By the API: the quote that is being ordered. */
  readonly quoteId?: string;
  /** By the pages: what was in the cart, put back when nothing comes of it. */
  readonly cart?: readonly (readonly [sku: string, quantity: number])[];
  wrongCodes: number;
  status: "pending" | "passed" | "declined" | "dropped";
  order?: Order;
}

export type CodeOutcome = "passed" | "wrong_code" | "declined" | "over";

/** The order is received and not yet placed: the bank asks first. */
export function askVerification(
  world: World,
  asked: Pick<PaymentVerification, "wish"> & Partial<Pick<PaymentVerification, "quoteId" | "cart">>,
): PaymentVerification {
  const verification: PaymentVerification = {
    ...asked,
    id: `v_${randomToken(world.random)}`,
    code: sixDigits(world.random),
    expiresAtMs: world.now() + VERIFICATION_MS,
    wrongCodes: 0,
    status: "pending",
  };
  world.state.verifications.set(verification.id, verification);
  world.state.counters.verifications += 1;
  return verification;
}

/** One that has run out is dropped when anybody looks. */
export function findVerification(world: World, id: string): PaymentVerification | undefined {
  const found = world.state.verifications.get(id);
  if (found?.status === "pending" && world.now() >= found.expiresAtMs) drop(world, found, "dropped");
  return found;
}

/** Those that wait for the bank's customer, oldest first. */
export function pendingVerifications(world: World): readonly PaymentVerification[] {
  return [...world.state.verifications.keys()].flatMap((id) => {
    const found = findVerification(world, id);
    return found?.status === "pending" ? [found] : [];
  });
}

export function tryCode(world: World, verification: PaymentVerification, code: string): CodeOutcome {
  if (verification.status !== "pending") return "over";
  if (code === verification.code) {
    pass(world, verification);
    return "passed";
  }
  verification.wrongCodes += 1;
  world.state.counters.wrongCodes += 1;
  if (verification.wrongCodes < VERIFICATION_CODES_MAX) return "wrong_code";
  drop(world, verification, "declined");
  return "declined";
}

/** The bank agrees and the order is placed, at the prices of this moment. */
export function pass(world: World, verification: PaymentVerification): Order {
  const order = placeOrder(world, verification.wish);
  verification.status = "passed";
  verification.order = order;
  world.state.counters.orders += 1;
  return order;
}

/** Nothing comes of it: what was to be ordered can be ordered again. */
export function drop(world: World, verification: PaymentVerification, status: "declined" | "dropped"): void {
  verification.status = status;
  for (const [sku, quantity] of verification.cart ?? []) world.state.cart.set(sku, quantity);
}

function sixDigits(random: Random): string {
  return [...random(6)].map((byte) => String(byte % 10)).join("");
}
