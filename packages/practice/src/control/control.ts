import { DELAY_MS_MAX } from "../limits.ts";
import { findItem, findProduct } from "../shop/catalogue.ts";
import type { Order } from "../shop/model.ts";
import { cancelOrder, cannotCancel } from "../shop/order-cancel.ts";
import { newestFirst, placeOrder } from "../shop/orders.ts";
import { seedMembership } from "../shop/seed.ts";
import { drop, pass, pendingVerifications } from "../shop/verifications.ts";
import { INITIAL_CHOICE, resetWorld, type World } from "../shop/world.ts";
import { type FaultScope as Scope, type SiteControl, siteControl } from "../site/control.ts";
import { problemWithCommon } from "../site/switches.ts";
import type { Counters } from "./counters.ts";
import { COMMIT_KINDS, type CommitKind, DEFAULT_TITLE_SKU, type SwitchSetting } from "./switches.ts";

export type FaultScope = Scope<CommitKind>;

/** Everything a test or demo can do to the shop from outside its pages. */
export interface ShopControl extends SiteControl<SwitchSetting, Counters, CommitKind> {
  /** Orders wait for the code of the person's bank; see `bankCode`. */
  readonly verifyPayment: (scope?: { readonly times?: number }) => void;
  /** The right code places the order and nothing is answered. */
  readonly verifyThenDrop: (scope?: { readonly times?: number }) => void;
  /** The code that the bank has sent for the newest payment that waits; undefined when none does. */
  readonly bankCode: () => string | undefined;
  /** The person agrees in the app of their bank, away from the shop: every payment that waits is placed. */
  readonly bankApproves: () => void;
  /** The bank gives up: nothing comes of any payment that waits. */
  readonly bankDrops: () => void;
  /** Every total moves by this from now on, through the delivery price (never below zero). 0 moves it back. */
  readonly total: (deltaMinor: number) => void;
  /** One SKU's unit price moves by this from now on. */
  readonly price: (sku: string, deltaMinor: number) => void;
  /** The shop keeps this much of an order that is called off, from now on. */
  readonly cancelFee: (feeMinor: number) => void;
  /** Orders are charged this much above their lines. */
  readonly chargeOver: (deltaMinor: number, scope?: { readonly times?: number }) => void;
  /** Retitles a product or variant, the first product when `sku` is absent. */
  readonly title: (text: string, sku?: string) => void;
  /** A membership as when the shop opened, after one that was cancelled. */
  readonly joinAgain: () => void;
  /** Places an order as the person would from another device: not counted, no fault strikes it. */
  readonly placeOrderElsewhere: (order: {
    readonly sku: string;
    readonly quantity: number;
    readonly delivery?: string;
    readonly note?: string;
    /** An order number of the test's own choosing. */
    readonly number?: string;
  }) => Order;
  /** Calls an order off as the person would from another device. @throws RangeError when it cannot be. */
  readonly cancelOrderElsewhere: (number: string) => Order;
  /** Newest first. */
  readonly orders: () => readonly Order[];
}

/** Why a setting is no setting; undefined when it is one. */
export function problemWith(world: World, setting: SwitchSetting): string | undefined {
  const problem = problemWithCommon(setting, COMMIT_KINDS, DELAY_MS_MAX);
  if (problem !== "not_common") return problem;
  switch (setting.switch) {
    case "total":
    case "chargeOver":
      return Number.isSafeInteger(setting.deltaMinor) ? undefined : "deltaMinor must be a whole number";
    case "cancelFee":
      return Number.isSafeInteger(setting.feeMinor) && setting.feeMinor >= 0
        ? undefined
        : "feeMinor must be a whole number from 0";
    case "price":
      if (!Number.isSafeInteger(setting.deltaMinor)) return "deltaMinor must be a whole number";
      return isSku(world, setting.sku) ? undefined : "unknown sku";
    case "title":
      if (typeof setting.text !== "string") return "text must be a string";
      return isSku(world, setting.sku) ? undefined : "unknown sku";
    case "verifyPayment":
    case "verifyThenDrop":
      return undefined;
    default:
      return "unknown switch";
  }
}

function isSku(world: World, sku: unknown): boolean {
  const changes = world.switches.changes();
  return typeof sku === "string" && (findProduct(changes, sku) !== undefined || findItem(changes, sku) !== undefined);
}

export function createControl(world: World): ShopControl {
  const common = siteControl<CommitKind, SwitchSetting, Counters>({
    title: "practice shop",
    world,
    switches: world.switches,
    problemWith: (setting) => problemWith(world, setting),
    counters: () => ({ ...world.state.counters }),
    endSession: () => {
      world.state.sessions.clear();
      world.state.tokens.clear();
    },
    reset: () => resetWorld(world),
  });
  const { set } = common;
  return {
    ...common,
    verifyPayment: (scope = {}) => set({ switch: "verifyPayment", ...scope }),
    verifyThenDrop: (scope = {}) => set({ switch: "verifyThenDrop", ...scope }),
    bankCode: () => pendingVerifications(world).at(-1)?.code,
    bankApproves: () => {
      for (const verification of pendingVerifications(world)) pass(world, verification);
    },
    bankDrops: () => {
      for (const verification of pendingVerifications(world)) drop(world, verification, "dropped");
    },
    total: (deltaMinor) => set({ switch: "total", deltaMinor }),
    price: (sku, deltaMinor) => set({ switch: "price", sku, deltaMinor }),
    cancelFee: (feeMinor) => set({ switch: "cancelFee", feeMinor }),
    chargeOver: (deltaMinor, scope = {}) => set({ switch: "chargeOver", deltaMinor, ...scope }),
    title: (text, sku = DEFAULT_TITLE_SKU) => set({ switch: "title", text, sku }),
    joinAgain: () => {
      world.state.membership = seedMembership(world.now());
    },
    placeOrderElsewhere: ({ sku, quantity, delivery = INITIAL_CHOICE.delivery, note = "", number }) => {
      if (!findItem(world.switches.changes(), sku)) throw new RangeError(`practice shop: no item ${sku}`);
      const wish = { ...INITIAL_CHOICE, wanted: [{ sku, quantity }], delivery, note, overchargeMinor: 0 };
      return placeOrder(world, number === undefined ? wish : { ...wish, number });
    },
    cancelOrderElsewhere: (number) => {
      const order = world.state.orders.find((each) => each.number === number);
      if (order === undefined || cannotCancel(order) !== undefined)
        throw new RangeError(`practice shop: order ${number} cannot be cancelled`);
      return cancelOrder(world, order, undefined);
    },
    orders: () => newestFirst(world.state.orders),
  };
}
