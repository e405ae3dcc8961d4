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

/** The practice shop in the table. */
export const shopInWorld: WorldSite = {
  id: "practice-shop",
  site: practiceShop,
  async open(): Promise<OpenWorldSite> {
    const shop = await startPracticeShop();
    return {
      origin: shop.origin,
      control: {
        loseAnswer: () => shop.control.commitThenDrop({ times: 1 }),
        endSession: shop.control.endSession,
        dearer: () => shop.control.total(MORE_MINOR),
        asBefore: () => shop.control.total(0),
        counters: shop.control.counters,
      },
      before: (operation) => {
        if (operation === "subscription.cancel") shop.control.joinAgain();
      },
      effects: (operation) => shop.control.counters()[operation === "subscription.cancel" ? "cancels" : "orders"],
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
