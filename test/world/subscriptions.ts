import { practiceSubscriptions } from "@countersign/adapter-practice-subscriptions";
import type { RouteKind } from "@countersign/plugin";
import { type PracticeSubscriptions, startPracticeSubscriptions } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { expect } from "vitest";
import { LiveWindow } from "../support/live.ts";
import type { Person } from "../support/person.ts";
import type { OpenWorldSite, WorldSite } from "./site.ts";

const WRONG_CODE = "000000";
const MORE_MINOR = 25;
const CANCEL = "subscription.cancel";
const PLAN = "subscription.plan.change";

/** The practice subscription service in the table. */
export const subscriptionsInWorld: WorldSite = {
  id: "practice-subscriptions",
  site: practiceSubscriptions,
  async open(): Promise<OpenWorldSite> {
    const service = await startPracticeSubscriptions();
    const { control } = service;
    return {
      origin: service.origin,
      control: {
        loseAnswer: () => control.commitThenDrop({ times: 1 }),
        endSession: control.endSession,
        // What is offered for staying is as much of the terms as a price is.
        dearer: (operation) => (operation === CANCEL ? control.offer("another") : control.price(MORE_MINOR)),
        asBefore: (operation) => (operation === CANCEL ? control.offer("as_before") : control.price(0)),
        counters: control.counters,
      },
      before: control.restore,
      effects(operation) {
        const { cancels, planChanges, offersTaken } = control.counters();
        expect(offersTaken).toBe(0);
        return operation === CANCEL ? cancels : operation === PLAN ? planChanges : 0;
      },
      signIn: (person, ref, route) => signIn(service, person, ref, route),
      secrets: () => ({
        password: service.user.password,
        "authenticator key": service.user.totpSecret,
        ...Object.fromEntries(control.issued().map((token, at) => [`token ${at} of the service's`, token])),
      }),
      close: service.close,
    };
  },
  rows: {
    "subscription.charges.list": {
      parameters: () => ({ limit: 3 }),
      result: () => ({
        charges: [
          expect.objectContaining({
            subscription_ref: "lantern",
            merchant: "Lantern Media Ltd",
            plan: "Standard",
            status: "active",
            currency: "EUR",
            price_minor: 1_399,
            period: "month",
            next_on: expect.any(String),
          }),
          expect.objectContaining({ subscription_ref: "tunes", plan: "Duo", price_minor: 1_099 }),
          expect.objectContaining({ subscription_ref: "arena", status: "trial", trial_ends_on: expect.any(String) }),
        ],
      }),
    },
    [CANCEL]: {
      parameters: () => ({ subscription_ref: "lantern" }),
      result: () => ({ cancellation_ref: expect.stringMatching(/^LC-\d+$/) }),
    },
    [PLAN]: {
      parameters: () => ({
        subscription_ref: "lantern",
        plan_ref: "premium",
        max_total_minor: 3_000,
        currency: "EUR",
      }),
      result: () => ({
        change_ref: expect.stringMatching(/^PC-\d+$/),
        plan: "Premium",
        currency: "EUR",
        price_minor: 1_899,
        period: "month",
      }),
    },
  },
};

async function signIn(service: PracticeSubscriptions, person: Person, ref: string, route: RouteKind): Promise<void> {
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200, `the hand-off begins: ${begun.text}`);
  const { email, password } = service.user;
  if (route === "browser") return signInLive(service, person, ref);
  const form = (values: Readonly<Record<string, string>>) => person.post(`/continuations/${ref}/form`, { values });
  assert((await form({ email, password })).json["kind"] === "more", "the code is asked for");
  assert((await form({ code: WRONG_CODE })).json["kind"] === "more", "a wrong code is asked for again");
  const done = await form({ code: service.currentCode() });
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
}

/** In the live view, at the service's own pages. */
async function signInLive(service: PracticeSubscriptions, person: Person, ref: string): Promise<void> {
  const window = await LiveWindow.open(person, ref);
  try {
    await window.shows("/sign-in");
    window.type(service.user.email);
    window.press("Tab");
    window.type(service.user.password);
    window.press("Enter");
    await window.shows("/sign-in/verify");
    window.type(service.currentCode());
    window.press("Enter");
    await window.shows("/account");
    const done = await person.post(`/continuations/${ref}/complete`);
    assert(done.status === 200, `the sign-in is done: ${done.text}`);
  } finally {
    window.close();
  }
}
