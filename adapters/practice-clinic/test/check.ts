import type { AdapterCheck, CheckSite } from "@countersign/adapter-kit";
import { PATIENT_NUMBER, startPracticeClinic } from "@countersign/practice";
import { assert, secret } from "@countersign/wire";
import { practiceClinic } from "../src/index.ts";

// `countersign adapter check adapters/practice-clinic`: the clinic's API, through every fault.

const BOOK = "healthcare.appointment.book";
const DEARER_MINOR = 250;
/** A day that the tests agree on. */
const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);
const wish = {
  earliest_at: "2026-12-01T08:00:00+00:00",
  latest_at: "2026-12-18T18:00:00+00:00",
  max_fee_minor: 10_000,
  currency: "EUR",
};

async function open(): Promise<CheckSite> {
  const clinic = await startPracticeClinic({ clock: () => OPENING_MS, seed: "adapter check", sleep: async () => {} });
  const { control } = clinic;
  // What was there at the opening is nobody's act, and what the person does elsewhere is not ours.
  let before = new Set<string>();
  const reset = (): void => {
    control.reset();
    before = new Set(control.appointments().map(({ number }) => number));
  };
  reset();
  return {
    origin: clinic.origin,
    now: () => OPENING_MS,
    async signIn(route, ctx, destination) {
      const tries = { take: async () => ({ kind: "go" as const, left: 9 }) };
      const begun = await route.beginSignIn(ctx, destination, tries);
      assert(begun.ok && begun.value.mode === "form", "the clinic has a form");
      const typed = { patient_number: PATIENT_NUMBER, password: clinic.user.password };
      const asked = await begun.value.submit(
        new Map(Object.entries(typed).map(([name, value]) => [name, secret(value)])),
      );
      assert(asked.kind === "more" && asked.fields.length === 0, "the clinic asks on the phone");
      control.answerPhone(/\d\d/.exec(asked.message ?? "")?.[0] ?? "");
      const done = await begun.value.submit(new Map());
      assert(done.kind === "done", "the clinic lets the person in");
      return done.verified;
    },
    personal: () => ["Dr. Aoife Keane", "General check-up", "Physiotherapy", "Skin check", PATIENT_NUMBER],
    reset,
    fault(name, operation) {
      switch (name) {
        case "changed_terms":
          control.copay(DEARER_MINOR);
          return operation === BOOK;
        case "ended_session":
          control.endSession();
          return true;
        default:
          return false;
      }
    },
    effects: () =>
      control
        .appointments()
        .filter(({ number }) => !before.has(number))
        .toSorted((a, b) => (a.number < b.number ? -1 : 1))
        .map((booked) => ({
          ref: booked.number,
          facts: {
            service_ref: booked.service.id,
            practitioner_ref: booked.practitioner.id,
            starts_at: `${new Date(booked.startsAtMs).toISOString().slice(0, 19)}Z`,
            ...(booked.copayMinor === undefined ? {} : { fee_minor: booked.copayMinor }),
          },
        })),
    elsewhere(operation, which) {
      if (operation !== BOOK) return false;
      // The last free time of the same service: equal to what is wished, and not the time that was found.
      const times = control.freeTimes(which === "equal" ? "check-up" : "physio");
      before.add(control.bookElsewhere(times.at(-1)?.id ?? "").number);
      return true;
    },
    close: () => clinic.close(),
  };
}

export const check: AdapterCheck = {
  site: practiceClinic,
  route: "http",
  open,
  operations: [
    { operation: "healthcare.appointments.list", params: { limit: 60 } },
    { operation: "healthcare.bills.list", params: { only: "all", limit: 20 } },
    { operation: "healthcare.claims.list", params: { limit: 20 } },
    {
      operation: BOOK,
      params: { ...wish, service_ref: "check-up" },
      other: { ...wish, service_ref: "physio", practitioner_ref: "pr-4" },
    },
  ],
};
