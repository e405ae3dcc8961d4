import type { Random } from "../site/random.ts";
import type { CatalogueChanges } from "./catalogue.ts";
import type { Address, Instrument, Order } from "./model.ts";
import { price, type Wanted } from "./pricing.ts";
import { ADDRESSES, INSTRUMENTS, PAST_ORDERS } from "./seed.ts";
import type { World } from "./world.ts";

const FIRST_ORDER_NUMBER = 20_416;
const NO_CHANGES: CatalogueChanges = { deliveryDeltaMinor: 0, unitDeltaMinor: new Map(), titles: new Map() };

function nextNumber(last: number, random: Random): number {
  return last + 1 + ((random(1)[0] ?? 0) % 7);
}

function orderNumber(value: number): string {
  return `HH-${value}`;
}

export function addressOf(id: string): Address {
  return ADDRESSES.find((address) => address.id === id) ?? ADDRESSES[0];
}

export function instrumentOf(id: string): Instrument {
  return INSTRUMENTS.find((instrument) => instrument.id === id) ?? INSTRUMENTS[0];
}

/** The three orders every practice person has already placed. */
export function seedOrders(
  nowMs: number,
  currency: string,
  random: Random,
): { readonly orders: readonly Order[]; readonly lastOrderNumber: number } {
  let lastOrderNumber = FIRST_ORDER_NUMBER;
  const orders = PAST_ORDERS.map((past): Order => {
    lastOrderNumber = nextNumber(lastOrderNumber, random);
    return {
      ...price(past.lines, past.delivery, currency, NO_CHANGES),
      number: orderNumber(lastOrderNumber),
      placedAtMs: nowMs - past.agoMs,
      status: past.status,
      address: ADDRESSES[0],
      instrument: INSTRUMENTS[0],
      note: past.note,
    };
  });
  return { orders, lastOrderNumber };
}

export interface OrderWish {
  readonly wanted: readonly Wanted[];
  readonly delivery: string;
  readonly address: string;
  readonly instrument: string;
  readonly note: string;
  /** Charged on top of the priced total. */
  readonly overchargeMinor: number;
  /** A number of the test's own choosing; the next one where it is left out. */
  readonly number?: string;
}

/**
 * Places the order at the prices of this moment and charges them, whatever the person saw before: so do real shops
 * (measured at a real storefront: a price raised after the last screen is charged silently).
 */
export function placeOrder(world: World, wish: OrderWish): Order {
  const { state } = world;
  const priced = price(wish.wanted, wish.delivery, world.currency, world.switches.changes());
  if (wish.number === undefined) state.lastOrderNumber = nextNumber(state.lastOrderNumber, world.random);
  const order: Order = {
    ...priced,
    totalMinor: priced.totalMinor + wish.overchargeMinor,
    number: wish.number ?? orderNumber(state.lastOrderNumber),
    placedAtMs: world.now(),
    status: "Confirmed",
    address: addressOf(wish.address),
    instrument: instrumentOf(wish.instrument),
    note: wish.note,
  };
  state.orders = [...state.orders, order];
  return order;
}

/** All orders, newest first. */
export function newestFirst(orders: readonly Order[]): readonly Order[] {
  return orders.toReversed();
}
