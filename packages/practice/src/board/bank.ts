import { BANK_NAME, CUSTOMER_NUMBER } from "../bank/seed.ts";
import type { BankSetting } from "../bank/switches.ts";
import type { BankCounters } from "../bank/world.ts";
import type { PracticeBank } from "../start.ts";
import { actOf, type Offered, type SiteBoard, switchesOf } from "./model.ts";

const SERVER_ERROR = 502;
const FEE_MINOR = 150;
const MORE_MINOR = 100;
const SLOW_MS = 8_000;

export const BANK_SWITCHES: Readonly<Record<string, Offered<BankSetting>>> = {
  lose_answer: {
    setting: { switch: "commitThenDrop", times: 1 },
    title: "Lose the answer",
    text: "The money leaves, and the connection breaks before the bank says so.",
  },
  error_after: {
    setting: { switch: "commitThen", answer: SERVER_ERROR, times: 1 },
    title: "Send it, then show an error",
    text: "The money leaves, and an error page comes back.",
  },
  lose_request: {
    setting: { switch: "dropBeforeCommit", times: 1 },
    title: "Lose the transfer",
    text: "The connection breaks before anything is sent.",
  },
  refuse: {
    setting: { switch: "refuse", times: 1 },
    title: "Stop it",
    text: "The bank's own checks stop the transfer; nothing is sent.",
  },
  overcharge: {
    setting: { switch: "chargeOver", deltaMinor: MORE_MINOR, times: 1 },
    title: "Take too much",
    text: "One euro more than the bank has said leaves the account.",
  },
  fee: {
    setting: { switch: "fee", deltaMinor: FEE_MINOR },
    title: "Raise the fee",
    text: "Every fee goes up by one euro and a half until this is turned off.",
  },
  slow: {
    setting: { switch: "delay", ms: SLOW_MS, at: "page", times: 1 },
    title: "Be slow",
    text: "The next page or answer takes eight seconds.",
  },
  half_page: {
    setting: { switch: "halfPage", times: 1 },
    title: "Send half a page",
    text: "The next page ends in the middle.",
  },
  lose_renewal: {
    setting: { switch: "loseRenewal", times: 1 },
    title: "Lose new tokens",
    text: "The gateway's sign-in is renewed, and the answer with the new tokens is lost.",
  },
  history_down: {
    setting: { switch: "readBack" },
    title: "Close the lists",
    text: "Transactions and payments answer that they are not available, until this is turned off.",
  },
};

const COUNTED: readonly (readonly [keyof BankCounters, string])[] = [
  ["submits", "Submissions that arrived"],
  ["transfers", "Transfers sent or scheduled"],
  ["authorizations", "Times a program was let in"],
  ["refreshes", "Tokens renewed"],
  ["refreshReuses", "Spent tokens that came again"],
  ["signIns", "Sign-ins"],
  ["signInFailures", "Failed sign-ins"],
];

export function bankBoard(bank: PracticeBank): SiteBoard {
  const { control, user } = bank;
  const acts = { sign_out: control.endSession, end_tokens: control.endAccessTokens, reset: control.reset };
  return {
    id: "bank",
    title: `${BANK_NAME}, a bank`,
    origin: bank.origin,
    ...switchesOf(BANK_SWITCHES, control),
    acts: [
      { id: "sign_out", title: "End every session" },
      { id: "end_tokens", title: "End the access tokens" },
      { id: "reset", title: "Everything back to opening time" },
    ],
    act: (id) => actOf(acts, id),
    codes: () => [
      { label: "Customer number", value: CUSTOMER_NUMBER },
      { label: "Password", value: user.password },
      { label: "Security code", value: control.currentCode() },
    ],
    counters: () => COUNTED.map(([name, label]) => ({ label, value: control.counters()[name] })),
  };
}
