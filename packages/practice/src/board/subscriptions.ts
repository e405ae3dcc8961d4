import { SERVICE_NAME } from "../subscriptions/seed.ts";
import type { PracticeSubscriptions } from "../subscriptions/start.ts";
import type { LanternSetting } from "../subscriptions/switches.ts";
import type { LanternCounters } from "../subscriptions/world.ts";
import { actOf, type Offered, type SiteBoard, switchesOf } from "./model.ts";

const SERVER_ERROR = 502;
const MORE_MINOR = 200;
const SLOW_MS = 8_000;

export const LANTERN_SWITCHES: Readonly<Record<string, Offered<LanternSetting>>> = {
  lose_answer: {
    setting: { switch: "commitThenDrop", times: 1 },
    title: "Lose the answer",
    text: "The change is made, and the connection breaks before the service says so.",
  },
  error_after: {
    setting: { switch: "commitThen", answer: SERVER_ERROR, times: 1 },
    title: "Do it, then show an error",
    text: "The change is made, and an error page comes back.",
  },
  lose_request: {
    setting: { switch: "dropBeforeCommit", times: 1 },
    title: "Lose the request",
    text: "The connection breaks before anything is changed.",
  },
  refuse: {
    setting: { switch: "refuse", times: 1 },
    title: "Refuse it",
    text: "The service says that it cannot do it now; nothing is changed.",
  },
  offer: {
    setting: { switch: "offer" },
    title: "Offer something else",
    text: "What is offered for staying is a free month, until this is turned off.",
  },
  price: {
    setting: { switch: "price", deltaMinor: MORE_MINOR },
    title: "Raise the prices",
    text: "Every plan costs two euros more to whoever moves to it, until this is turned off.",
  },
  notice: {
    setting: { switch: "notice" },
    title: "Add small print",
    text: "What the service says of a change has a sentence more, until this is turned off.",
  },
  overcharge: {
    setting: { switch: "chargeOver", deltaMinor: MORE_MINOR, times: 1 },
    title: "Charge too much",
    text: "Two euros more than was said are charged at the next change of plan.",
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
  lists_down: {
    setting: { switch: "readBack" },
    title: "Close the lists",
    text: "Subscriptions, changes and the account answer that they are not available, until this is turned off.",
  },
};

const COUNTED: readonly (readonly [keyof LanternCounters, string])[] = [
  ["submits", "Submissions that arrived"],
  ["cancels", "Subscriptions cancelled"],
  ["planChanges", "Plans changed"],
  ["addressChanges", "Addresses changed"],
  ["contactChanges", "Contacts changed"],
  ["offersTaken", "Offers for staying taken up"],
  ["signIns", "Sign-ins"],
  ["signInFailures", "Failed sign-ins"],
];

export function subscriptionsBoard(service: PracticeSubscriptions): SiteBoard {
  const { control, user } = service;
  const acts = { sign_out: control.endSession, restore: control.restore, reset: control.reset };
  return {
    id: "subscriptions",
    title: `${SERVICE_NAME}, a subscription service`,
    origin: service.origin,
    ...switchesOf(LANTERN_SWITCHES, control),
    acts: [
      { id: "sign_out", title: "End every session" },
      { id: "restore", title: "Subscribe to everything again" },
      { id: "reset", title: "Everything back to opening time" },
    ],
    act: (id) => actOf(acts, id),
    codes: () => [
      { label: "Email", value: user.email },
      { label: "Password", value: user.password },
      { label: "Code", value: control.currentCode() },
    ],
    counters: () => COUNTED.map(([name, label]) => ({ label, value: control.counters()[name] })),
  };
}
