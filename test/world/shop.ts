import { practiceShop } from "@countersign/adapter-practice-shop";
import type { RouteKind } from "@countersign/plugin";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { expect } from "vitest";
import { LiveWindow } from "../support/live.ts";
import type { Person } from "../support/person.ts";
import type { OpenWorldSite, WorldSite } from "./site.ts";

const WRONG_CODE = "000000";
const MORE_MINOR = 25;
const HALF_HOUR_MS = 30 * 60_000;
const ORDER_CANCEL = "retail.order.cancel";
const COUNTED: Readonly<Record<string, "cancels" | "orderCancels">> = {
  "subscription.cancel": "cancels",
  [ORDER_CANCEL]: "orderCancels",
};

/** The order that was placed last, to be cancelled. */
let toCancel = "";

/** The practice shop in the table. */
export const shopInWorld: WorldSite = {
  id: "practice-shop",
  site: practiceShop,
  async open(): Promise<OpenWorldSite> {
    const shop = await startPracticeShop();
    let placed = 0;
    /** Its number is the same in each opening of the shop, so that the terms of two routes can be compared. */
    const placeToCancel = (): void => {
      placed += 1;
      toCancel = `HH-9${String(placed).padStart(5, "0")}`;
      shop.control.placeOrderElsewhere({ sku: "CK-1", quantity: 2, number: toCancel });
    };
    return {
      origin: shop.origin,
      control: {
        loseAnswer: () => shop.control.commitThenDrop({ times: 1 }),
        endSession: shop.control.endSession,
        dearer: (operation) =>
          operation === ORDER_CANCEL ? shop.control.cancelFee(MORE_MINOR) : shop.control.total(MORE_MINOR),
        asBefore: (operation) => (operation === ORDER_CANCEL ? shop.control.cancelFee(0) : shop.control.total(0)),
        counters: shop.control.counters,
      },
      before: (operation) => {
        if (operation === "subscription.cancel") shop.control.joinAgain();
        if (operation === ORDER_CANCEL) placeToCancel();
      },
      effects: (operation) => shop.control.counters()[COUNTED[operation] ?? "orders"],
      signIn: (person, ref, route) => signIn(shop, person, ref, route),
      secrets: () => ({ password: shop.user.password, "authenticator key": shop.user.totpSecret }),
      close: shop.close,
    };
  },
  rows: {
    "retail.orders.list": {
      parameters: () => ({ limit: 1 }),
      result: () => ({
        orders: [expect.objectContaining({ order_number: expect.stringMatching(/^HH-/), currency: "EUR" })],
      }),
    },
    "retail.item.get": {
      parameters: () => ({ item_ref: "WB-750-SAGE" }),
      result: () => ({
        item_ref: "WB-750-SAGE",
        title: "Steel Bottle 750 ml, Sage",
        available: true,
        currency: "EUR",
        price_minor: 2_950,
      }),
    },
    "retail.wishlist.list": {
      parameters: () => ({ limit: 20 }),
      result: () => ({
        items: [
          expect.objectContaining({ item_ref: "TL-200", available: true, currency: "EUR", price_minor: 4_490 }),
          expect.objectContaining({ item_ref: "WB-750-INK", title: "Steel Bottle 750 ml, Ink", price_minor: 2_950 }),
          expect.objectContaining({ item_ref: "WN-9", available: false, price_minor: 1_250 }),
        ],
      }),
    },
    // Met at once; that a watch goes on by itself has its own test (test/watch.test.ts).
    "retail.deal.watch": {
      parameters: () => ({
        item_ref: "TL-200",
        at_most_minor: 4_490,
        currency: "EUR",
        watch_ends_at: new Date(Date.now() + HALF_HOUR_MS).toISOString(),
      }),
      result: () => ({ item_ref: "TL-200", met: true, available: true, currency: "EUR", price_minor: 4_490 }),
    },
    [ORDER_CANCEL]: {
      parameters: () => ({ order_number: toCancel, max_kept_minor: 500, currency: "EUR" }),
      result: () => ({
        order_number: toCancel,
        cancellation_ref: expect.stringMatching(/^CN-/),
        currency: "EUR",
        refund_minor: 7_850,
      }),
    },
    "retail.order.submit": {
      parameters: (refs) => ({
        item_ref: "TL-200",
        quantity: 1,
        max_total_minor: 6000,
        currency: "EUR",
        fulfillment_ref: refs.get("Home") ?? "",
      }),
      result: () => ({ order_number: expect.stringMatching(/^HH-/), currency: "EUR", total_minor: 4990 }),
    },
    "subscription.cancel": {
      parameters: () => ({ subscription_ref: "membership" }),
      termsChange: "no",
      result: () => ({ cancellation_ref: expect.stringMatching(/^MC-/) }),
    },
  },
};

async function signIn(shop: PracticeShop, person: Person, ref: string, route: RouteKind): Promise<void> {
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200, `the hand-off begins: ${begun.text}`);
  const { email, password } = shop.user;
  if (route === "browser") return signInLive(shop, person, ref);
  const form = (values: Readonly<Record<string, string>>) => person.post(`/continuations/${ref}/form`, { values });
  assert((await form({ email, password })).json["kind"] === "more", "the code is asked for");
  assert((await form({ code: WRONG_CODE })).json["kind"] === "more", "a wrong code is asked for again");
  const done = await form({ code: shop.currentCode() });
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
}

/** In the live view, at the shop's own pages. */
async function signInLive(shop: PracticeShop, person: Person, ref: string): Promise<void> {
  const window = await LiveWindow.open(person, ref);
  try {
    await window.shows("/sign-in");
    window.type(shop.user.email);
    window.press("Tab");
    window.type(shop.user.password);
    window.press("Enter");
    await window.shows("/sign-in/verify");
    window.type(shop.currentCode());
    window.press("Enter");
    await window.shows("/account");
    const done = await person.post(`/continuations/${ref}/complete`);
    assert(done.status === 200, `the sign-in is done: ${done.text}`);
  } finally {
    window.close();
  }
}
