import { INSURER_NAME } from "../insurer/seed.ts";
import type { PracticeInsurer } from "../insurer/start.ts";
import type { InsurerSetting } from "../insurer/switches.ts";
import type { InsurerCounters } from "../insurer/world.ts";
import { actOf, type Offered, type SiteBoard, switchesOf } from "./model.ts";

const SERVER_ERROR = 502;
const EXCESS_MINOR = 10_000;
const SLOW_MS = 8_000;

export const INSURER_SWITCHES: Readonly<Record<string, Offered<InsurerSetting>>> = {
  lose_answer: {
    setting: { switch: "commitThenDrop", times: 1 },
    title: "Lose the answer",
    text: "The claim is taken, and the connection breaks before anybody says so.",
  },
  error_after: {
    setting: { switch: "commitThen", answer: SERVER_ERROR, times: 1 },
    title: "Take it, then show an error",
    text: "The claim is taken, and an error page comes back.",
  },
  lose_request: {
    setting: { switch: "dropBeforeCommit", times: 1 },
    title: "Lose the claim",
    text: "The connection breaks before anything is taken.",
  },
  refuse: {
    setting: { switch: "refuse", times: 1 },
    title: "Refuse it",
    text: "The insurer does not take the claim online; nothing is submitted.",
  },
  excess: {
    setting: { switch: "excess", deltaMinor: EXCESS_MINOR },
    title: "Raise the excess",
    text: "The person bears 100 pounds more of each claim until this is turned off.",
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
  strict_cookies: {
    setting: { switch: "strictCookies" },
    title: "End old cookies at once",
    text: "A cookie that was changed stops working at once, and not half a minute later.",
  },
  history_down: {
    setting: { switch: "readBack" },
    title: "Close the lists",
    text: "The claims answer that they are not available, until this is turned off.",
  },
};

const COUNTED: readonly (readonly [keyof InsurerCounters, string])[] = [
  ["submits", "Submissions that arrived"],
  ["claims", "Claims taken"],
  ["ticketsUsed", "Times the claim form was opened"],
  ["ticketsRefused", "Tickets refused"],
  ["rotations", "Cookies changed"],
  ["signIns", "Sign-ins"],
  ["signInFailures", "Failed sign-ins"],
];

export function insurerBoard(insurer: PracticeInsurer): SiteBoard {
  const { control, user } = insurer;
  const acts = { sign_out: control.endSession, reset: control.reset };
  return {
    id: "insurer",
    title: `${INSURER_NAME}, an insurer`,
    origin: insurer.origin,
    ...switchesOf(INSURER_SWITCHES, control),
    acts: [
      { id: "sign_out", title: "End every session" },
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
