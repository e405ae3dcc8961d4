import { practiceClinic } from "@countersign/adapter-practice-clinic";
import type { RouteKind } from "@countersign/plugin";
import { PATIENT_NUMBER, type PracticeClinic, startPracticeClinic } from "@countersign/practice";
import { assert } from "@countersign/wire";
import { expect } from "vitest";
import { LiveWindow } from "../support/live.ts";
import type { Person } from "../support/person.ts";
import type { OpenWorldSite, WorldSite } from "./site.ts";

const MORE_MINOR = 25;
const DAY_MS = 24 * 60 * 60_000;

/** The practice clinic in the table. */
export const clinicInWorld: WorldSite = {
  id: "practice-clinic",
  site: practiceClinic,
  async open(): Promise<OpenWorldSite> {
    const clinic = await startPracticeClinic();
    return {
      origin: clinic.origin,
      control: {
        loseAnswer: () => clinic.control.commitThenDrop({ times: 1 }),
        endSession: clinic.control.endSession,
        dearer: () => clinic.control.copay(MORE_MINOR),
        asBefore: () => clinic.control.copay(0),
        counters: clinic.control.counters,
      },
      effects: (operation) => (operation === "healthcare.appointment.book" ? clinic.control.counters().bookings : 0),
      signIn: (person, ref, route) => signIn(clinic, person, ref, route),
      secrets: () => ({
        password: clinic.user.password,
        // Health data is as secret as a password here: what a visit was for, and with whom.
        "what a visit is for": "Skin check",
        "who treats the person": "Aoife Keane",
        "what a bill is for": "with biopsy",
        "patient number": PATIENT_NUMBER,
        ...Object.fromEntries(clinic.control.issued().map((token, at) => [`token ${at} of the clinic's`, token])),
      }),
      close: clinic.close,
    };
  },
  rows: {
    "healthcare.appointments.list": {
      parameters: () => ({ limit: 60 }),
      result: (open) => ({
        // All of them, whatever part of the list is in the document at a time.
        appointments: Array.from({ length: 56 + open.effects("healthcare.appointment.book") }, () =>
          expect.objectContaining({
            appointment_ref: expect.stringMatching(/^AP-\d+$/),
            patient: "Alex Example",
            place: expect.stringContaining("12 Elm Street"),
          }),
        ),
      }),
    },
    "healthcare.bills.list": {
      parameters: () => ({ only: "to_pay", limit: 10 }),
      result: () => ({
        bills: [
          expect.objectContaining({ bill_ref: "mb-3391", currency: "EUR", total_minor: 6_750, status: "open" }),
          expect.objectContaining({ bill_ref: "mb-3342", open_minor: 1_500, status: "overdue" }),
          expect.objectContaining({ bill_ref: "mb-3288", open_minor: 6_000, status: "part_paid" }),
        ],
      }),
    },
    "healthcare.claims.list": {
      parameters: () => ({ limit: 2 }),
      result: () => ({
        claims: [
          expect.objectContaining({ claim_ref: "mc-902", status: "in_review", claimed_minor: 18_600 }),
          expect.objectContaining({ claim_ref: "mc-871", status: "part_approved", approved_minor: 18_600 }),
        ],
      }),
    },
    "healthcare.appointment.book": {
      parameters: () => ({
        service_ref: "skin-check",
        practitioner_ref: "pr-1",
        earliest_at: later(7),
        latest_at: later(27),
        max_fee_minor: 6_000,
        currency: "EUR",
      }),
      result: () => ({ appointment_ref: expect.stringMatching(/^AP-\d+$/), status: "booked" }),
    },
  },
};

/** Midnight of a day from now on: the same for each route of one run. */
function later(days: number): string {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
}

async function signIn(clinic: PracticeClinic, person: Person, ref: string, route: RouteKind): Promise<void> {
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200, `the hand-off begins: ${begun.text}`);
  if (route === "browser") return signInLive(clinic, person, ref);
  const form = (values: Readonly<Record<string, string>>) => person.post(`/continuations/${ref}/form`, { values });
  const first = () => form({ patient_number: PATIENT_NUMBER, password: clinic.user.password });
  const number = (message: unknown) => /\d\d/.exec(String(message))?.[0] ?? "";
  const asked = await first();
  assert(asked.json["kind"] === "more", "the phone is asked");
  const early = await form({});
  assert(early.json["kind"] === "more", "who has not answered yet is waited for");
  clinic.control.answerPhone("not_me");
  assert((await form({})).json["kind"] === "more", "a refused question is over, and the first form is back");
  const again = await first();
  clinic.control.answerPhone(number(again.json["message"]));
  const done = await form({});
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
}

/** In the live view, at the clinic's own pages: the page goes on by itself when the phone has been answered. */
async function signInLive(clinic: PracticeClinic, person: Person, ref: string): Promise<void> {
  const window = await LiveWindow.open(person, ref);
  try {
    await window.shows("/sign-in");
    window.type(PATIENT_NUMBER);
    window.press("Tab");
    window.type(clinic.user.password);
    window.press("Enter");
    await window.shows("/sign-in/verify");
    // What stands in the picture cannot be read here: the site itself says which number it shows.
    clinic.control.answerPhone(clinic.control.shownNumber() ?? "");
    await window.shows("/appointments");
    const done = await person.post(`/continuations/${ref}/complete`);
    assert(done.status === 200, `the sign-in is done: ${done.text}`);
  } finally {
    window.close();
  }
}
