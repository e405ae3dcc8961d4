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
const ADDRESS = "account.address.change";
const CONTACT = "account.contact.change";

const NEW_HOME = { full_name: "Alex Example", address_1: "77 Lindenblossom Walk", city: "Berlin", country: "DE" };
const NEW_MAIL = "alex.anew@elsewhere.example";

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
        dearer: (operation) => {
          if (operation === CANCEL) control.offer("another");
          else if (operation === PLAN) control.price(MORE_MINOR);
          else control.notice("more");
        },
        asBefore: () => {
          control.offer("as_before");
          control.price(0);
          control.notice("as_before");
        },
        counters: control.counters,
      },
      before: control.restore,
      entered: [
        { kind: "address", label: "New home", value: NEW_HOME },
        { kind: "contact", label: "Work mail", value: { email: NEW_MAIL } },
      ],
      effects(operation) {
        const { cancels, planChanges, addressChanges, contactChanges, offersTaken } = control.counters();
        expect(offersTaken).toBe(0);
        const done: Readonly<Record<string, number>> = {
          [CANCEL]: cancels,
          [PLAN]: planChanges,
          [ADDRESS]: addressChanges,
          [CONTACT]: contactChanges,
        };
        return done[operation] ?? 0;
      },
      signIn: (person, ref, route) => signIn(service, person, ref, route),
      secrets: () => ({
        password: service.user.password,
        "authenticator key": service.user.totpSecret,
        // What the person entered is sealed, and stands in the record by its salted digest alone.
        "new street": NEW_HOME.address_1,
        "new e-mail address": NEW_MAIL,
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
    [ADDRESS]: {
      parameters: (refs) => ({ address_use: "billing", address_ref: refs.get("New home") ?? "" }),
      result: () => ({ address_use: "billing", address_ref: expect.stringMatching(/^det_/) }),
    },
    [CONTACT]: {
      parameters: (refs) => ({ contact_use: "email", contact_ref: refs.get("Work mail") ?? "" }),
      result: () => ({
        contact_use: "email",
        contact_ref: expect.stringMatching(/^det_/),
        status: "to be confirmed",
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
