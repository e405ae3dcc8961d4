import type { Counters } from "../control/counters.ts";
import type { SwitchSetting } from "../control/switches.ts";
import { SHOP_NAME } from "../shop/seed.ts";
import type { PracticeShop } from "../start.ts";
import { actOf, type Offered, type SiteBoard, switchesOf } from "./model.ts";

const MORE_MINOR = 100;
const DEARER_MINOR = 200;
const FEE_MINOR = 150;
const SERVER_ERROR = 502;

export const SHOP_SWITCHES: Readonly<Record<string, Offered<SwitchSetting>>> = {
  lose_answer: {
    setting: { switch: "commitThenDrop", times: 1 },
    title: "Lose the answer",
    text: "The order is placed, and the connection breaks before the shop says so.",
  },
  error_after: {
    setting: { switch: "commitThen", answer: SERVER_ERROR, times: 1 },
    title: "Place it, then show an error",
    text: "The order is placed, and an error page comes back.",
  },
  lose_request: {
    setting: { switch: "dropBeforeCommit", times: 1 },
    title: "Lose the order",
    text: "The connection breaks before anything is placed.",
  },
  refuse: {
    setting: { switch: "refuse", times: 1 },
    title: "Refuse it",
    text: "The shop says in its own words that it is out of stock.",
  },
  bank_code: {
    setting: { switch: "verifyPayment", times: 1 },
    title: "Have the bank ask",
    text: "The payment waits for a code from the bank.",
  },
  overcharge: {
    setting: { switch: "chargeOver", deltaMinor: MORE_MINOR, times: 1 },
    title: "Charge too much",
    text: "One euro more than the order's lines is charged.",
  },
  dearer: {
    setting: { switch: "total", deltaMinor: DEARER_MINOR },
    title: "Raise the price",
    text: "Every total goes up by two euros until this is turned off.",
  },
  cancel_fee: {
    setting: { switch: "cancelFee", feeMinor: FEE_MINOR },
    title: "Charge for cancelling",
    text: "The shop keeps one euro fifty of an order that is called off, until this is turned off.",
  },
  history_down: {
    setting: { switch: "readBack" },
    title: "Close the order pages",
    text: "The order history answers that it is not available, until this is turned off.",
  },
};

const COUNTED: readonly (readonly [keyof Counters, string])[] = [
  ["submits", "Submissions that arrived"],
  ["orders", "Orders placed"],
  ["cancels", "Memberships cancelled"],
  ["orderCancels", "Orders called off"],
  ["verifications", "Payments the bank asked about"],
  ["signIns", "Sign-ins"],
  ["signInFailures", "Failed sign-ins"],
];

export function shopBoard(shop: PracticeShop): SiteBoard {
  const { control, user } = shop;
  const acts = {
    sign_out: control.endSession,
    bank_approves: control.bankApproves,
    reset: control.reset,
  };
  return {
    id: "shop",
    title: `${SHOP_NAME}, a shop`,
    origin: shop.origin,
    ...switchesOf(SHOP_SWITCHES, control),
    acts: [
      { id: "sign_out", title: "End every session" },
      { id: "bank_approves", title: "Approve in the bank's app" },
      { id: "reset", title: "Everything back to opening time" },
    ],
    act: (id) => actOf(acts, id),
    codes: () => [
      { label: "Email", value: user.email },
      { label: "Password", value: user.password },
      { label: "One-time code for signing in", value: control.currentCode() },
      { label: "Code from the bank", value: control.bankCode() ?? "none waits" },
    ],
    counters: () => COUNTED.map(([name, label]) => ({ label, value: control.counters()[name] })),
  };
}
