import type { PracticeUtility } from "../start.ts";
import { UTILITY_NAME } from "../utility/seed.ts";
import type { UtilitySetting } from "../utility/switches.ts";
import type { UtilityCounters } from "../utility/world.ts";
import { actOf, type Offered, type SiteBoard, switchesOf } from "./model.ts";

const SERVER_ERROR = 502;
const FEE_CENTS = 150;
const PLAN_CENTS = 200;
const EARLY_DAYS = 5;
const MORE_CENTS = 100;
const SLOW_MS = 8_000;

export const UTILITY_SWITCHES: Readonly<Record<string, Offered<UtilitySetting>>> = {
  lose_answer: {
    setting: { switch: "commitThenDrop", times: 1 },
    title: "Lose the answer",
    text: "It is done, and the connection breaks before the site says so.",
  },
  error_after: {
    setting: { switch: "commitThen", answer: SERVER_ERROR, times: 1 },
    title: "Do it, then show an error",
    text: "It is done, and an error page comes back.",
  },
  lose_request: {
    setting: { switch: "dropBeforeCommit", times: 1 },
    title: "Lose the request",
    text: "The connection breaks before anything is done.",
  },
  refuse: {
    setting: { switch: "refuse", times: 1 },
    title: "Decline it",
    text: "The site declines; nothing is charged or changed.",
  },
  fee: {
    setting: { switch: "fee", deltaCents: FEE_CENTS },
    title: "Raise the fee",
    text: "Every way to pay costs one euro and a half more until this is turned off.",
  },
  plan_price: {
    setting: { switch: "planPrice", deltaCents: PLAN_CENTS },
    title: "Raise the plans",
    text: "Every plan costs two euros a month more until this is turned off.",
  },
  charge_early: {
    setting: { switch: "chargeEarly", days: EARLY_DAYS },
    title: "Charge earlier",
    text: "Automatic payment takes place five days before a bill is due, until this is turned off.",
  },
  overcharge: {
    setting: { switch: "chargeOver", deltaCents: MORE_CENTS, times: 1 },
    title: "Take too much",
    text: "One euro more than was said is taken.",
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
  history_down: {
    setting: { switch: "readBack" },
    title: "Close the lists",
    text: "Payments and changes answer that they are not available, until this is turned off.",
  },
};

const COUNTED: readonly (readonly [keyof UtilityCounters, string])[] = [
  ["submits", "Submissions that arrived"],
  ["payments", "Payments taken"],
  ["planChanges", "Plans changed"],
  ["autopayChanges", "Automatic payment changed"],
  ["keys", "API keys made"],
  ["signIns", "Sign-ins"],
  ["signInFailures", "Failed sign-ins"],
];

export function utilityBoard(utility: PracticeUtility): SiteBoard {
  const { control, user } = utility;
  const acts = {
    sign_out: control.endSession,
    revoke_keys: control.revokeKeys,
    reopen: control.reopenBills,
    reset: control.reset,
  };
  return {
    id: "utility",
    title: `${UTILITY_NAME}, electricity and gas`,
    origin: utility.origin,
    ...switchesOf(UTILITY_SWITCHES, control),
    acts: [
      { id: "sign_out", title: "End every session and key" },
      { id: "revoke_keys", title: "Revoke the API keys" },
      { id: "reopen", title: "Take every payment back" },
      { id: "reset", title: "Everything back to opening time" },
    ],
    act: (id) => actOf(acts, id),
    codes: () => [
      { label: "E-mail", value: user.email },
      { label: "Password", value: user.password },
      { label: "Code of the newest mail", value: control.mailedCode() ?? "no mail has come" },
    ],
    counters: () => COUNTED.map(([name, label]) => ({ label, value: control.counters()[name] })),
  };
}
