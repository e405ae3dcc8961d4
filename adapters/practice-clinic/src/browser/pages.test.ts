import type { Answer } from "@countersign/plugin";
import { fingerprintOf, matchOwn, ownReference, readFingerprint, traceOf } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import type { ListedAppointment } from "../shared/booking.ts";
import { dayOf, instantOfLocal } from "../shared/local-time.ts";
import { appointmentBook, ownAppointments } from "./appointment-book.ts";
import { appointmentOf } from "./appointments.ts";
import { type Chosen, offerOf } from "./booking-pages.ts";
import { type Look, printedDay, printedMinor, printedMoment, printedVisit } from "./page-text.ts";

const trouble = expect.objectContaining({ name: "SiteTrouble" });
const at = (text: string) => Date.parse(text);

describe("what the clinic prints", () => {
  it("U54 a time is of the clinic's own town, in winter and in summer", () => {
    expect(printedVisit("Tuesday 8 December 2026, 09:20 to 09:40")).toEqual({
      startsMs: at("2026-12-08T09:20:00Z"),
      endsMs: at("2026-12-08T09:40:00Z"),
    });
    expect(printedMoment("Wednesday 8 July 2026, 09:20")).toBe(at("2026-07-08T08:20:00Z"));
    expect(dayOf(at("2026-07-08T23:30:00Z"))).toBe("2026-07-09");
  });

  it("U54 a time that does not exist, or twice, is none", () => {
    expect(instantOfLocal("2026-03-29", "01:30")).toBeUndefined();
    expect(instantOfLocal("2026-10-25", "01:30")).toBeUndefined();
    expect(instantOfLocal("2026-10-25", "02:30")).toBe(at("2026-10-25T02:30:00Z"));
    expect(instantOfLocal("2026-03-29", "02:30")).toBe(at("2026-03-29T01:30:00Z"));
  });

  it.each([
    "Monday 8 December 2026, 09:20",
    "Tuesday 31 February 2026, 09:20",
    "Tuesday 8 December 2026, 9:20",
    "Tuesday 8 December 2026, 24:20",
    "8 December 2026, 09:20",
    "Tuesday 8 December 2026",
    "",
  ])("U54 %j is not read", (text) => {
    expect(() => printedMoment(text)).toThrow(trouble);
  });

  it("a visit ends after it begins", () => {
    expect(() => printedVisit("Tuesday 8 December 2026, 09:40 to 09:20")).toThrow(trouble);
    expect(printedDay("Tuesday 8 December 2026")).toBe("2026-12-08");
  });

  it("U55 an amount is read exactly or not at all", () => {
    expect([printedMinor("€15.00"), printedMinor("€0.00"), printedMinor("€1,234.56")]).toEqual([1_500, 0, 123_456]);
    for (const text of ["", "15.00", "€15", "€15,00", "€1,23.00", "$15.00", "€-15.00", "€15.00 a month", "from €15.00"])
      expect(() => printedMinor(text), text).toThrow(trouble);
  });
});

const CHOSEN: Chosen = {
  path: "/book/drafts/x",
  serviceRef: "check-up",
  service: "General check-up",
  practitionerRef: "pr-1",
  practitioner: "Dr. Aoife Keane",
  startsMs: at("2026-12-08T09:20:00Z"),
  endsMs: at("2026-12-08T09:40:00Z"),
};
const FACTS: readonly (readonly [string, string])[] = [
  ["What for", "General check-up"],
  ["With", "Dr. Aoife Keane"],
  ["When", "Tuesday 8 December 2026, 09:20 to 09:40"],
  ["Where", "12 Elm Street, room 2"],
  ["For", "Alex Example"],
  ["The visit costs you", "€15.00"],
  ["Staying away costs you", "€30.00"],
  ["Free to call off until", "Monday 7 December 2026, 09:20"],
  ["Your own reference", "CS-1"],
];
const check = (facts: readonly (readonly [string, string])[], heading = "Check your booking"): Look => ({
  heading,
  hint: "",
  facts,
});
const changed = (term: string, text: string) =>
  FACTS.map((fact) => (fact[0] === term ? ([term, text] as const) : fact));

describe("the page to check", () => {
  it("APR-2 is read as it stands there", () => {
    expect(offerOf(check(FACTS), CHOSEN)).toEqual({
      serviceRef: "check-up",
      service: "General check-up",
      practitionerRef: "pr-1",
      practitioner: "Dr. Aoife Keane",
      place: "12 Elm Street, room 2",
      patient: "Alex Example",
      startsMs: CHOSEN.startsMs,
      endsMs: CHOSEN.endsMs,
      currency: "EUR",
      feeMinor: 1_500,
      noShowMinor: 3_000,
      freeUntilMs: at("2026-12-07T09:20:00Z"),
      own: "CS-1",
    });
    expect(offerOf(check(changed("Free to call off until", "Not any more")), CHOSEN)).not.toHaveProperty("freeUntilMs");
  });

  it.each([
    ["another service", check(changed("What for", "Skin check"))],
    ["another practitioner", check(changed("With", "Dr. Emeka Okafor"))],
    ["another time", check(changed("When", "Tuesday 8 December 2026, 09:40 to 10:00"))],
    ["another beginning", check(changed("When", "Tuesday 8 December 2026, 09:00 to 09:40"))],
    ["another length", check(changed("When", "Tuesday 8 December 2026, 09:20 to 10:00"))],
    ["no place", check(changed("Where", ""))],
    ["a price that cannot be read", check(changed("The visit costs you", "15 euro"))],
    ["an end of the free calling off that cannot be read", check(changed("Free to call off until", "soon"))],
    ["a row more", check([...FACTS, ["Deposit", "€5.00"]])],
    ["half of its rows", check(FACTS.slice(0, 4))],
    ["another heading", check(FACTS, "Sign in to your patient account")],
  ])("U27 with %s it is not read at all", (_, seen) => {
    expect(() => offerOf(seen, CHOSEN)).toThrow(trouble);
  });
});

describe("the list of appointments", () => {
  const cells = [
    "Tuesday 8 December 2026, 09:20 to 09:40",
    "General check-up",
    "Dr. Aoife Keane",
    "12 Elm Street, room 2",
    "Booked",
    "AP-41201",
    "",
  ];
  it("is read row by row", () => {
    expect(appointmentOf({ cells, href: "" }, "Alex Example")).toEqual(appointment({ ownReference: "" }));
  });
  it.each([
    [0, "8/12/2026, 09:20"],
    [1, ""],
    [4, "On its way"],
    [5, "41201"],
    [5, ""],
  ])("U27 with cell %i as %j it is not read", (place, text) => {
    const other = cells.map((cell, here) => (here === place ? text : cell));
    expect(() => appointmentOf({ cells: other, href: "" }, "Alex Example")).toThrow(trouble);
  });
});

const ORIGIN = "https://clinic.example";
const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "healthcare.appointment.book",
  created_at: "2026-11-30T12:00:00Z",
  route: { kind: "browser", origin: ORIGIN },
  terms: {
    service_ref: "check-up",
    practitioner_ref: "pr-1",
    starts_at: "2026-12-08T09:20:00Z",
    ends_at: "2026-12-08T09:40:00Z",
  },
} as unknown as ActionRecord;

function appointment(change: Partial<ListedAppointment> = {}): ListedAppointment {
  return {
    number: "AP-41201",
    status: "booked",
    service: "General check-up",
    practitioner: "Dr. Aoife Keane",
    patient: "Alex Example",
    place: "12 Elm Street, room 2",
    startsMs: CHOSEN.startsMs,
    endsMs: CHOSEN.endsMs,
    ownReference: ownReference(record),
    ...change,
  };
}

describe("STA-3 (U04) the appointment of a submission", () => {
  const find = (all: readonly ListedAppointment[], made = fingerprintOf(record, "/book/drafts/x")) => {
    const print = readFingerprint(made);
    if (!print.ok) throw new Error(print.reason);
    return matchOwn(all, print.value, record, ownAppointments);
  };

  it("is the one with the task's own mark", () => {
    const own = appointment({ number: "AP-2" });
    expect(find([appointment({ ownReference: "" }), own])).toMatchObject({ kind: "found", confirmation: "AP-2" });
    expect(find([appointment({ ownReference: "" })])).toEqual({ kind: "none" });
  });

  it("is unclear when two carry the mark, when it is of another time, and when it was called off", () => {
    expect(find([appointment(), appointment({ number: "AP-2" })])).toMatchObject({ kind: "unclear" });
    expect(find([appointment({ startsMs: CHOSEN.startsMs + 60_000 })])).toMatchObject({ kind: "unclear" });
    expect(find([appointment({ status: "cancelled" })])).toMatchObject({ kind: "unclear" });
  });

  it("is unclear beside an equal one of the person's own when only the record has survived", () => {
    expect(find([appointment({ ownReference: "" })], traceOf(record))).toMatchObject({ kind: "unclear" });
    expect(find([appointment({ ownReference: "", startsMs: 1 })], traceOf(record))).toEqual({ kind: "none" });
    expect(find([appointment()], traceOf(record))).toMatchObject({ kind: "found" });
  });
});

describe("what the clinic answers to a booking", () => {
  const answer = (status: number, body: string, headers: Answer["headers"] = []): Answer => ({
    status,
    headers: [["content-type", "text/html; charset=utf-8"], ...headers],
    body: new TextEncoder().encode(body),
  });
  const recognise = (given: Answer) => appointmentBook.recognise(given, record);

  it("its own confirmation confirms, its own refusal refuses", () => {
    expect(recognise(answer(303, "", [["location", "/appointments/AP-41201/booked"]]))).toMatchObject({
      kind: "confirmed",
      confirmation: "AP-41201",
    });
    expect(recognise(answer(409, "<h1>This time is taken</h1>"))).toEqual({
      kind: "refused",
      why: "this time was taken by somebody else meanwhile",
    });
    expect(recognise(answer(422, "<h1>This visit was not booked</h1>"))).toMatchObject({ kind: "refused" });
    expect(recognise(answer(410, "<h1>This booking has lapsed</h1>"))).toMatchObject({ kind: "refused" });
  });

  it.each([
    ["a sign-in page", answer(200, "<h1>Sign in to your patient account</h1>")],
    ["a redirect to it", answer(302, "", [["location", "/sign-in"]])],
    ["another site's confirmation", answer(303, "", [["location", "https://evil.example/appointments/AP-1/booked"]])],
    ["a number that is none", answer(303, "", [["location", "/appointments/1/booked"]])],
    ["an error page", answer(502, "<h1>502 Server Error</h1>")],
    ["the refusal's heading with another status", answer(200, "<h1>This time is taken</h1>")],
  ])("STA-2 %s says nothing", (_, given) => {
    expect(recognise(given)).toEqual({ kind: "unknown" });
  });
});
