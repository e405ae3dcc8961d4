import { practiceBank } from "@countersign/adapter-practice-bank";
import type { RouteKind } from "@countersign/plugin";
import { CUSTOMER_NUMBER, letInAtBank, type PracticeBank, startPracticeBank } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { expect } from "vitest";
import { LiveWindow } from "../support/live.ts";
import type { Person } from "../support/person.ts";
import type { OpenWorldSite, WorldSite } from "./site.ts";

const FEE_MORE_MINOR = 25;

/** The practice bank in the table. */
export const bankInWorld: WorldSite = {
  id: "practice-bank",
  site: practiceBank,
  async open(): Promise<OpenWorldSite> {
    const bank = await startPracticeBank();
    const secrets: Record<string, string> = { password: bank.user.password, "authenticator key": bank.user.totpSecret };
    return {
      origin: bank.origin,
      control: {
        loseAnswer: () => bank.control.commitThenDrop({ times: 1 }),
        endSession: bank.control.endSession,
        dearer: () => bank.control.fee(FEE_MORE_MINOR),
        asBefore: () => bank.control.fee(0),
        counters: bank.control.counters,
      },
      effects: () => bank.control.counters().transfers,
      signIn: (person, ref, route) => signIn(bank, person, ref, route, secrets),
      secrets: () => ({ ...secrets, ...tokensOf(bank) }),
      close: bank.close,
    };
  },
  rows: {
    "banking.accounts.list": {
      parameters: () => ({}),
      result: () => ({
        accounts: [
          {
            bank_account_ref: "ba-everyday",
            name: "Everyday account",
            kind: "current",
            number_ending: "3000",
            holder: "Alex Example",
            currency: "EUR",
          },
          {
            bank_account_ref: "ba-rainy",
            name: "Rainy days",
            kind: "savings",
            number_ending: "3018",
            holder: "Alex Example",
            currency: "EUR",
          },
          {
            bank_account_ref: "ba-blue",
            name: "Blue card",
            kind: "card",
            number_ending: "7741",
            holder: "Alex Example",
            currency: "EUR",
          },
        ],
      }),
    },
    "banking.balances.list": {
      parameters: () => ({ bank_account_ref: "ba-rainy" }),
      result: () => ({
        balances: [
          expect.objectContaining({
            bank_account_ref: "ba-rainy",
            currency: "EUR",
            booked_minor: 589_060,
            available_minor: 589_060,
          }),
        ],
      }),
    },
    "banking.transactions.list": {
      parameters: () => ({ bank_account_ref: "ba-rainy", limit: 3 }),
      result: () => ({
        bank_account_ref: "ba-rainy",
        currency: "EUR",
        transactions: [
          expect.objectContaining({
            counterparty: "Everyday account",
            text: "Standing order",
            amount_minor: 15_000,
            balance_minor: 589_060,
            pending: false,
          }),
          expect.objectContaining({ counterparty: "Quayside Bank", text: "Interest", amount_minor: 412 }),
          expect.objectContaining({ amount_minor: 15_000 }),
        ],
        more: true,
      }),
    },
    "banking.payees.list": {
      parameters: () => ({}),
      result: () => ({
        payees: expect.arrayContaining([
          { payee_ref: "py-jo", name: "Jo Example", number_ending: "0130", bank: "Second Bank", currency: "EUR" },
        ]),
      }),
    },
    "banking.rewards.list": {
      parameters: () => ({}),
      result: () => ({
        programs: [
          expect.objectContaining({
            reward_ref: "rw-quay",
            collected_points: 12_480,
            currency: "EUR",
            worth_minor: 6_240,
          }),
        ],
      }),
    },
    "banking.transfer.submit": {
      parameters: () => ({
        from_ref: "ba-everyday",
        payee_ref: "py-jo",
        amount_minor: 1_250,
        currency: "EUR",
        max_total_minor: 2_000,
        payment_text: "Tickets",
      }),
      result: () => ({ transfer_ref: expect.stringMatching(/^TR-\d+$/), currency: "EUR" }),
    },
  },
};

async function signIn(
  bank: PracticeBank,
  person: Person,
  ref: string,
  route: RouteKind,
  secrets: Record<string, string>,
): Promise<void> {
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200, `the hand-off begins: ${begun.text}`);
  if (route === "browser") return signInLive(bank, person, ref);
  assert(begun.json["mode"] === "redirect", `the person goes to the bank: ${begun.text}`);
  const location = await letInAtBank(bank, String(begun.json["go_to"]), "mistyped");
  secrets["code of the bank's for the gateway"] = location.searchParams.get("code") ?? "";
  const done = await person.post(`/continuations/${ref}/returned`, { answer: location.search });
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
}

/** In the live view, at the bank's own pages. */
async function signInLive(bank: PracticeBank, person: Person, ref: string): Promise<void> {
  const window = await LiveWindow.open(person, ref);
  try {
    await window.shows("/login");
    window.type(CUSTOMER_NUMBER);
    window.press("Tab");
    window.type(bank.user.password);
    window.press("Enter");
    await window.shows("/login/verify");
    window.type(bank.currentCode());
    window.press("Enter");
    await window.shows("/accounts");
    const done = await person.post(`/continuations/${ref}/complete`);
    assert(done.status === 200, `the sign-in is done: ${done.text}`);
  } finally {
    window.close();
  }
}

function tokensOf(bank: PracticeBank): Readonly<Record<string, string>> {
  return Object.fromEntries(bank.control.issued().map((token, at) => [`token ${at} of the bank's`, token]));
}
