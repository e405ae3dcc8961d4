import { currentTotp } from "../auth/credentials.ts";
import { DELAY_MS_MAX } from "../limits.ts";
import { findItem, findProduct } from "../shop/catalogue.ts";
import type { Order } from "../shop/model.ts";
import { newestFirst, placeOrder } from "../shop/orders.ts";
import { drop, pass, pendingVerifications } from "../shop/verifications.ts";
import { INITIAL_CHOICE, resetWorld, type World } from "../shop/world.ts";
import type { Counters } from "./counters.ts";
import type { LoggedRequest } from "./request-log.ts";
import {
  type CommitKind,
  DEFAULT_TITLE_SKU,
  type FaultAnswer,
  type SwitchName,
  type SwitchSetting,
} from "./switches.ts";

/** Which commits a fault strikes (both when absent) and how often (until reset when absent). */
export interface FaultScope {
  readonly on?: CommitKind;
  readonly times?: number;
}

/** Everything a test or demo can do to the shop from outside its pages. */
export interface ShopControl {
  /** Commit, then destroy the socket. */
  readonly commitThenDrop: (scope?: FaultScope) => void;
  /** Commit, then answer with a status (400 to 599, plain HTML), half the confirmation, or the sign-in page. */
  readonly commitThen: (answer: FaultAnswer, scope?: FaultScope) => void;
  readonly dropBeforeCommit: (scope?: FaultScope) => void;
  /** As `commitThen`, but nothing is committed. */
  readonly withoutCommitThen: (answer: FaultAnswer, scope?: FaultScope) => void;
  /** The shop's own recognisable refusal. */
  readonly refuse: (scope?: FaultScope) => void;
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
  /** Waits; `at` is "after_commit" when absent. */
  readonly delay: (
    ms: number,
    scope?: FaultScope & { readonly at?: "before_commit" | "after_commit" | "page" },
  ) => void;
  /** Every total moves by this from now on, through the delivery price (never below zero). 0 moves it back. */
  readonly total: (deltaMinor: number) => void;
  /** One SKU's unit price moves by this from now on. */
  readonly price: (sku: string, deltaMinor: number) => void;
  /** Orders are charged this much above their lines. */
  readonly chargeOver: (deltaMinor: number, scope?: { readonly times?: number }) => void;
  /** Retitles a product or variant, the first product when `sku` is absent. */
  readonly title: (text: string, sku?: string) => void;
  /** Order history, order and membership pages and their API twins answer 503 while down. */
  readonly readBack: (state: "up" | "down", scope?: { readonly times?: number }) => void;
  /** Ends every session and every API token. */
  readonly endSession: () => void;
  /** Places an order as the person would from another device: not counted, no fault strikes it. */
  readonly placeOrderElsewhere: (order: {
    readonly sku: string;
    readonly quantity: number;
    readonly delivery?: string;
    readonly note?: string;
  }) => Order;
  /** Watches every later request for this text; hits are counted. */
  readonly plantCanary: (text: string) => void;
  readonly set: (setting: SwitchSetting) => void;
  readonly clear: (name: SwitchName) => void;
  readonly switches: () => readonly SwitchSetting[];
  readonly counters: () => Counters;
  /** Newest first. */
  readonly orders: () => readonly Order[];
  readonly requests: () => readonly LoggedRequest[];
  /** What the practice person's authenticator shows now. */
  readonly currentCode: () => string;
  /** Everything back to opening time. */
  readonly reset: () => void;
}

/** Why a setting is no setting; undefined when it is one. */
export function problemWith(world: World, setting: SwitchSetting): string | undefined {
  const isCount = (value: unknown) => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1);
  if ("times" in setting && !isCount(setting.times)) return "times must be a whole number from 1";
  if ("on" in setting && setting.on !== undefined && setting.on !== "order" && setting.on !== "cancellation") {
    return "on must be order or cancellation";
  }
  switch (setting.switch) {
    case "commitThen":
    case "withoutCommitThen": {
      const { answer } = setting;
      if (typeof answer === "number") {
        const isError = Number.isSafeInteger(answer) && answer >= 400 && answer <= 599;
        return isError ? undefined : "a status must be from 400 to 599";
      }
      return ["half_body", "sign_in_page", "sign_in_redirect"].includes(answer) ? undefined : "unknown answer";
    }
    case "delay": {
      const known = ["before_commit", "after_commit", "page"].includes(setting.at);
      return known && setting.ms >= 0 && setting.ms <= DELAY_MS_MAX ? undefined : "ms or at is out of range";
    }
    case "total":
    case "chargeOver":
      return Number.isSafeInteger(setting.deltaMinor) ? undefined : "deltaMinor must be a whole number";
    case "price":
      if (!Number.isSafeInteger(setting.deltaMinor)) return "deltaMinor must be a whole number";
      return isSku(world, setting.sku) ? undefined : "unknown sku";
    case "title":
      if (typeof setting.text !== "string") return "text must be a string";
      return isSku(world, setting.sku) ? undefined : "unknown sku";
    case "commitThenDrop":
    case "dropBeforeCommit":
    case "refuse":
    case "readBack":
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
  const set = (setting: SwitchSetting): void => {
    const problem = problemWith(world, setting);
    if (problem !== undefined) throw new RangeError(`practice shop switch ${setting.switch}: ${problem}`);
    world.switches.set(setting);
  };
  return {
    commitThenDrop: (scope = {}) => set({ switch: "commitThenDrop", ...scope }),
    commitThen: (answer, scope = {}) => set({ switch: "commitThen", answer, ...scope }),
    dropBeforeCommit: (scope = {}) => set({ switch: "dropBeforeCommit", ...scope }),
    withoutCommitThen: (answer, scope = {}) => set({ switch: "withoutCommitThen", answer, ...scope }),
    refuse: (scope = {}) => set({ switch: "refuse", ...scope }),
    verifyPayment: (scope = {}) => set({ switch: "verifyPayment", ...scope }),
    verifyThenDrop: (scope = {}) => set({ switch: "verifyThenDrop", ...scope }),
    bankCode: () => pendingVerifications(world).at(-1)?.code,
    bankApproves: () => {
      for (const verification of pendingVerifications(world)) pass(world, verification);
    },
    bankDrops: () => {
      for (const verification of pendingVerifications(world)) drop(world, verification, "dropped");
    },
    delay: (ms, { at = "after_commit", ...scope } = {}) => set({ switch: "delay", ms, at, ...scope }),
    total: (deltaMinor) => set({ switch: "total", deltaMinor }),
    price: (sku, deltaMinor) => set({ switch: "price", sku, deltaMinor }),
    chargeOver: (deltaMinor, scope = {}) => set({ switch: "chargeOver", deltaMinor, ...scope }),
    title: (text, sku = DEFAULT_TITLE_SKU) => set({ switch: "title", text, sku }),
    readBack: (state, scope = {}) =>
      state === "down" ? set({ switch: "readBack", ...scope }) : world.switches.clear("readBack"),
    endSession: () => {
      world.state.sessions.clear();
      world.state.tokens.clear();
    },
    placeOrderElsewhere: ({ sku, quantity, delivery = INITIAL_CHOICE.delivery, note = "" }) => {
      if (!findItem(world.switches.changes(), sku)) throw new RangeError(`practice shop: no item ${sku}`);
      return placeOrder(world, { ...INITIAL_CHOICE, wanted: [{ sku, quantity }], delivery, note, overchargeMinor: 0 });
    },
    plantCanary: (text) => {
      if (text === "") throw new RangeError("practice shop: an empty canary is in everything");
      world.canaries.add(text);
    },
    set,
    clear: (name) => world.switches.clear(name),
    switches: () => world.switches.list(),
    counters: () => ({ ...world.state.counters }),
    orders: () => newestFirst(world.state.orders),
    requests: () => world.log.list(),
    currentCode: () => currentTotp(world.user, world.now()),
    reset: () => resetWorld(world),
  };
}
