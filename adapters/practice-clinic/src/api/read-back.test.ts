import { fingerprintOf, type Json, type JsonObject, ownReference, traceOf } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import type { HttpAnswer, HttpSession } from "@countersign/route-http";
import { expect, it } from "vitest";
import { appointmentBook } from "./appointment-book.ts";

const record = {
  issuer: "https://gateway.example",
  task_id: "task_1",
  operation: "healthcare.appointment.book",
  created_at: "2026-11-30T12:00:00Z",
  terms: {
    service_ref: "check-up",
    practitioner_ref: "pr-1",
    starts_at: "2026-12-08T09:20:00Z",
    ends_at: "2026-12-08T09:40:00Z",
  },
} as unknown as ActionRecord;

const visit = {
  service: { id: "check-up", name: "General check-up" },
  practitioner: { id: "pr-1", name: "Dr. Aoife Keane" },
  place: "12 Elm Street, room 2",
  starts_at: "2026-12-08T09:20:00+00:00",
  ends_at: "2026-12-08T09:40:00+00:00",
  patient: "Alex Example",
  currency: "EUR",
  copay_cents: 1_500,
};
const appointment = (change: JsonObject = {}): JsonObject => ({
  number: "AP-1",
  status: "booked",
  ...visit,
  own_reference: ownReference(record),
  booked_at: "2026-11-30T12:01:00+00:00",
  ...change,
});
const draft = { draft_id: "bd_1", ...visit, no_show_cents: 3_000, own_reference: ownReference(record) };

type Given = readonly [status: number, json: Json];
/** The clinic with these appointments, one list after the other, and this draft. */
function clinic(lists: readonly (readonly JsonObject[])[], drafted: Given): HttpSession {
  let read = 0;
  const fetch = async (path: string): Promise<HttpAnswer> => {
    const appointments = lists[Math.min(read, lists.length - 1)] ?? [];
    const isList = path.startsWith("/api/appointments");
    if (isList) read += 1;
    const [status, json] = isList ? ([200, { appointments, total: appointments.length }] as const) : drafted;
    return { kind: "answer", status, headers: [], json } as unknown as HttpAnswer;
  };
  return { kind: "http", origin: "https://clinic.example", fetch } as unknown as HttpSession;
}
const WAITS: Given = [200, draft];
const GONE: Given = [410, { error: { code: "draft_expired" } }];
const TAKEN: Given = [409, { error: { code: "time_taken" } }];
const look = (lists: readonly (readonly JsonObject[])[], drafted: Given, fingerprint = fingerprintOf(record, "bd_1")) =>
  appointmentBook.readBack({} as never, clinic(lists, drafted), { record, fingerprint } as never);

it("STA-3 (U04) the appointment with the task's mark is found, at the time that was approved and no other", async () => {
  expect(await look([[appointment()]], GONE)).toMatchObject({
    kind: "found",
    confirmation: "AP-1",
    observed: { currency: "EUR", fee_minor: 1_500 },
  });
  for (const change of [
    { starts_at: "2026-12-08T10:20:00+00:00" },
    { practitioner: { id: "pr-2", name: "Dr. Emeka Okafor" } },
    { service: { id: "skin-check", name: "Skin check" } },
    { status: "cancelled" },
  ])
    expect(await look([[appointment(change)]], GONE)).toMatchObject({ kind: "unclear" });
  expect(await look([[appointment(), appointment({ number: "AP-2" })]], GONE)).toMatchObject({ kind: "unclear" });
});

it("STA-4 it is absent when its draft still waits, lapsed, or its time is another's; and looked for again before that", async () => {
  const unmarked = appointment({ own_reference: "" });
  expect(await look([[unmarked]], WAITS)).toEqual({ kind: "absent" });
  expect(await look([[]], GONE)).toEqual({ kind: "absent" });
  expect(await look([[]], TAKEN)).toEqual({ kind: "absent" });
  expect(await look([[], [appointment()]], GONE)).toMatchObject({ kind: "found" });
});

it("STA-3 where only the record has survived, an equal appointment of the person's makes it unclear", async () => {
  const trace = traceOf(record);
  expect(await look([[appointment({ own_reference: "" })]], WAITS, trace)).toMatchObject({ kind: "unclear" });
  const older = appointment({ own_reference: "", booked_at: "2026-11-01T12:00:00+00:00" });
  expect(await look([[older]], WAITS, trace)).toEqual({ kind: "absent" });
});

it("U27 an answer of another shape is trouble, never an absence", async () => {
  await expect(look([[{ number: "AP-1" }]], WAITS)).rejects.toMatchObject({ name: "SiteTrouble" });
});
