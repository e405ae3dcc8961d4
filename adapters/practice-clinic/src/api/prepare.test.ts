import type { Json, JsonObject } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import type { HttpAnswer, HttpSession } from "@countersign/route-http";
import { expect, it } from "vitest";
import { appointmentBook } from "./appointment-book.ts";

const time = (practitioner: string, starts: string, ends: string) => ({
  time_id: `ft-${practitioner}-${starts}`,
  service: { id: "check-up", name: "General check-up" },
  practitioner: { id: practitioner, name: `Dr. ${practitioner}` },
  place: "12 Elm Street",
  starts_at: `2026-12-08T${starts}:00+00:00`,
  ends_at: `2026-12-08T${ends}:00+00:00`,
});
const TIMES = [time("pr-2", "08:20", "08:40"), time("pr-2", "09:20", "09:40"), time("pr-1", "09:20", "09:40")];

/** The clinic's API with these free times; every draft is of the time that it was asked for. */
function clinic(times: readonly ReturnType<typeof time>[]): HttpSession {
  const answer = (status: number, json: Json): HttpAnswer =>
    ({ kind: "answer", status, headers: [], json }) as unknown as HttpAnswer;
  const fetch = async (path: string, init?: { readonly body?: unknown }): Promise<HttpAnswer> => {
    if (path === "/api/services") return answer(200, { services: [{ id: "check-up", name: "General check-up" }] });
    if (path === "/api/practitioners")
      return answer(200, {
        practitioners: [
          { id: "pr-1", name: "Dr. pr-1", services: ["check-up"] },
          { id: "pr-4", name: "Dr. pr-4", services: ["physio"] },
        ],
      });
    if (path.startsWith("/api/free-times")) return answer(200, { free_times: times, total: times.length } as Json);
    const { time_id: id, own_reference: own = "" } = (init?.body ?? {}) as Readonly<Record<string, string>>;
    const { time_id: _, ...visit } = times.find((each) => each.time_id === id) ?? TIMES[0] ?? time("", "", "");
    const price = { currency: "EUR", copay_cents: 1_500, no_show_cents: 3_000 };
    return answer(201, { draft_id: "bd_1", ...visit, ...price, patient: "Alex Example", own_reference: own } as Json);
  };
  return { kind: "http", origin: "https://clinic.example", fetch } as unknown as HttpSession;
}

const wish = (change: JsonObject = {}): JsonObject => ({
  service_ref: "check-up",
  earliest_at: "2026-12-08T09:00:00Z",
  latest_at: "2026-12-08T12:00:00Z",
  max_fee_minor: 2_000,
  currency: "EUR",
  ...change,
});
const prepare = (params: JsonObject, times: readonly ReturnType<typeof time>[] = TIMES) =>
  appointmentBook.prepare({ progress: () => {} } as never, clinic(times), params);

it("MAP-5 a reference that the clinic does not have is a gap that names those that exist", async () => {
  expect(await prepare(wish({ service_ref: "tea" }))).toEqual({
    kind: "gap",
    why: "the clinic offers no such service online; service_ref can be check-up",
  });
  // One who works there and does not do this is none for it either.
  for (const ref of ["pr-9", "pr-4"])
    expect(await prepare(wish({ practitioner_ref: ref }))).toEqual({
      kind: "gap",
      why: "the clinic has no such practitioner for this; practitioner_ref can be pr-1",
    });
});

it("the first time that lies wholly within the window is put to the person", async () => {
  const ready = await prepare(wish());
  expect(ready).toMatchObject({
    kind: "ready",
    terms: { practitioner_ref: "pr-1", starts_at: "2026-12-08T09:20:00Z", fee_minor: 1_500 },
    personal: { service: "General check-up", patient: "Alex Example" },
  });
  // What the visit is for and with whom stands beside the record, never in it.
  expect(JSON.stringify("terms" in ready ? ready.terms : {})).not.toMatch(/General|Alex|Dr\./);
  const late = await prepare(wish({ latest_at: "2026-12-08T09:39:59Z" }));
  expect(late).toEqual({ kind: "gap", why: "the clinic has no free time within this window" });
  expect(await prepare(wish({ currency: "GBP" }))).toMatchObject({ kind: "gap" });
});

it("the approved time is booked or none: one that is gone is said so, and the next one is not taken", async () => {
  const record = {
    issuer: "https://gateway.example",
    task_id: "task_1",
    operation: "healthcare.appointment.book",
    terms: {
      service_ref: "check-up",
      practitioner_ref: "pr-1",
      starts_at: "2026-12-08T09:20:00Z",
      ends_at: "2026-12-08T09:40:00Z",
    },
  } as unknown as ActionRecord;
  const held = await appointmentBook.hold({} as never, clinic(TIMES.slice(0, 2)), record as never, { v: 1 });
  expect(held).toEqual({ kind: "gap", why: "this time was taken by somebody else meanwhile" });
});
