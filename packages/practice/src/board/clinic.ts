import { CLINIC_NAME, PATIENT_NUMBER } from "../clinic/seed.ts";
import type { ClinicSetting } from "../clinic/switches.ts";
import type { ClinicCounters } from "../clinic/world.ts";
import type { PracticeClinic } from "../start.ts";
import { actOf, type Offered, phoneAct, phoneActs, type SiteBoard, switchesOf } from "./model.ts";

const SERVER_ERROR = 502;
const MORE_MINOR = 500;
const SLOW_MS = 8_000;

export const CLINIC_SWITCHES: Readonly<Record<string, Offered<ClinicSetting>>> = {
  lose_answer: {
    setting: { switch: "commitThenDrop", times: 1 },
    title: "Lose the answer",
    text: "The visit is booked, and the connection breaks before the clinic says so.",
  },
  error_after: {
    setting: { switch: "commitThen", answer: SERVER_ERROR, times: 1 },
    title: "Book it, then show an error",
    text: "The visit is booked, and an error page comes back.",
  },
  lose_request: {
    setting: { switch: "dropBeforeCommit", times: 1 },
    title: "Lose the booking",
    text: "The connection breaks before anything is booked.",
  },
  taken: {
    setting: { switch: "takenMeanwhile", times: 1 },
    title: "Give the time away",
    text: "Somebody else takes the time in the moment in which it is to be booked.",
  },
  refuse: {
    setting: { switch: "refuse", times: 1 },
    title: "Refuse it",
    text: "The clinic says that it cannot book this online; nothing is booked.",
  },
  dearer: {
    setting: { switch: "copay", deltaMinor: MORE_MINOR },
    title: "Raise the price",
    text: "Every visit costs the patient five euros more until this is turned off.",
  },
  stuck_list: {
    setting: { switch: "stuckList" },
    title: "Let lists get stuck",
    text: "Lists on pages do not get past their first rows, until this is turned off.",
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
    text: "Appointments, bills and claims answer that they are not available, until this is turned off.",
  },
};

const COUNTED: readonly (readonly [keyof ClinicCounters, string])[] = [
  ["submits", "Submissions that arrived"],
  ["bookings", "Visits booked"],
  ["signIns", "Sign-ins"],
  ["signInFailures", "Failed sign-ins"],
];

export function clinicBoard(clinic: PracticeClinic): SiteBoard {
  const { control, user } = clinic;
  const acts = { sign_out: control.endSession, reset: control.reset };
  return {
    id: "clinic",
    title: `${CLINIC_NAME}, a clinic`,
    origin: clinic.origin,
    ...switchesOf(CLINIC_SWITCHES, control),
    acts: [
      { id: "sign_out", title: "End every session" },
      { id: "reset", title: "Everything back to opening time" },
    ],
    actsNow: () => phoneActs(control),
    act: (id) => actOf(acts, id) || phoneAct(control, id),
    codes: () => [
      { label: "Patient number", value: PATIENT_NUMBER },
      { label: "Password", value: user.password },
      {
        label: "The phone asks",
        value: control.phone() === undefined ? "nothing" : "which number you see: tap it below",
      },
    ],
    counters: () => COUNTED.map(([name, label]) => ({ label, value: control.counters()[name] })),
  };
}
