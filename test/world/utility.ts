import { practiceUtility } from "@countersign/adapter-practice-utility";
import type { RouteKind } from "@countersign/plugin";
import { keyFromUtility, type PracticeUtility, startPracticeUtility } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { expect } from "vitest";
import { LiveWindow } from "../support/live.ts";
import type { Person } from "../support/person.ts";
import type { OpenWorldSite, WorldSite } from "./site.ts";

const PAY = "utilities.bill.pay";
const PLAN = "utilities.plan.change";
const FEE_MORE_CENTS = 25;
const PLAN_MORE_CENTS = 100;
const EARLY_DAYS = 3;
/** Electricity at home, and its newest bill, which is open. */
const CONTRACT = "447103";
const BILL = "208841";

/** The practice utility in the table. */
export const utilityInWorld: WorldSite = {
  id: "practice-utility",
  site: practiceUtility,
  async open(): Promise<OpenWorldSite> {
    const utility = await startPracticeUtility();
    const { control } = utility;
    return {
      origin: utility.origin,
      control: {
        loseAnswer: () => control.commitThenDrop({ times: 1 }),
        endSession: control.endSession,
        dearer: (operation) => {
          if (operation === PAY) control.fee(FEE_MORE_CENTS);
          else if (operation === PLAN) control.planPrice(PLAN_MORE_CENTS);
          else control.chargeEarly(EARLY_DAYS);
        },
        asBefore: () => {
          for (const name of ["fee", "planPrice", "chargeEarly"] as const) control.clear(name);
        },
        counters: control.counters,
      },
      before: (operation) => {
        if (operation === PAY) control.reopenBills();
        else control.withdrawChanges();
      },
      effects: (operation) => {
        const { payments, planChanges, autopayChanges } = control.counters();
        return operation === PAY ? payments : operation === PLAN ? planChanges : autopayChanges;
      },
      signIn: (person, ref, route) => signIn(utility, person, ref, route),
      secrets: () => ({ password: utility.user.password, ...keysOf(utility) }),
      close: utility.close,
    };
  },
  rows: {
    "utilities.usage.list": {
      parameters: () => ({ contract_ref: CONTRACT, limit: 8 }),
      result: () => ({
        usage: expect.arrayContaining([
          expect.objectContaining({
            contract_ref: CONTRACT,
            kind: "electricity",
            used: "241.7",
            unit: "kWh",
            estimated: false,
            currency: "EUR",
            cost_minor: 9_208,
          }),
          expect.objectContaining({ used: "205.1", estimated: true }),
          // The eighth stands on the second page.
          expect.objectContaining({ used: "236.5" }),
        ]),
      }),
    },
    "utilities.bills.list": {
      parameters: () => ({ only: "to_pay" }),
      result: () => ({
        bills: [
          expect.objectContaining({
            bill_ref: BILL,
            contract_ref: CONTRACT,
            number: `NL-${BILL}`,
            currency: "EUR",
            total_minor: 9_208,
            open_minor: 9_208,
            status: "open",
          }),
          expect.objectContaining({ bill_ref: "208833", status: "open" }),
          expect.objectContaining({ bill_ref: "208811", status: "overdue" }),
        ],
      }),
    },
    [PAY]: {
      parameters: (refs) => ({
        bill_ref: BILL,
        currency: "EUR",
        max_total_minor: 10_000,
        instrument_ref: refs.get("Visa card ending 4242") ?? "",
      }),
      result: () => ({ payment_ref: expect.stringMatching(/^NP-\d+$/), currency: "EUR", total_minor: 9_243 }),
    },
    [PLAN]: {
      parameters: () => ({ contract_ref: CONTRACT, plan_ref: "el-green-12", currency: "EUR", max_total_minor: 4_000 }),
      result: () => ({ plan: "Northlight Green 12", currency: "EUR", price_minor: 1_290, period: "month" }),
    },
    "utilities.autopay.set": {
      parameters: (refs) => ({
        contract_ref: CONTRACT,
        autopay: "on",
        instrument_ref: refs.get("Bank account ending 3000") ?? "",
      }),
      result: () => ({ contract_ref: CONTRACT, autopay: "on" }),
    },
  },
};

async function signIn(utility: PracticeUtility, person: Person, ref: string, route: RouteKind): Promise<void> {
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200, `the hand-off begins: ${begun.text}`);
  if (route === "browser") return signInLive(utility, person, ref);
  // In their own browser the person makes a key at the provider's settings, and gives it to the gateway.
  const key = await keyFromUtility(utility, "mistyped");
  const done = await person.post(`/continuations/${ref}/form`, { values: { api_key: key } });
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
}

/** In the live view, at the provider's own pages. */
async function signInLive(utility: PracticeUtility, person: Person, ref: string): Promise<void> {
  const window = await LiveWindow.open(person, ref);
  try {
    await window.shows("/sign-in");
    window.type(utility.user.email);
    window.press("Tab");
    window.type(utility.user.password);
    window.press("Enter");
    await window.shows("/sign-in/verify");
    window.type(utility.control.mailedCode() ?? "");
    window.press("Enter");
    await window.shows("/settings");
    const done = await person.post(`/continuations/${ref}/complete`);
    assert(done.status === 200, `the sign-in is done: ${done.text}`);
  } finally {
    window.close();
  }
}

function keysOf(utility: PracticeUtility): Readonly<Record<string, string>> {
  return Object.fromEntries(utility.control.issued().map((key, at) => [`key ${at} of the provider's`, key]));
}
