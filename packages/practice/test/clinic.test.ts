import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { atLocal, instantText, printedVisit } from "../src/clinic/time.ts";
import { PATIENT_NUMBER, type PracticeClinic, startPracticeClinic, Visitor } from "../src/index.ts";
import { OPENING_MS } from "./shopper.ts";

const clock = { nowMs: OPENING_MS };
let clinic: PracticeClinic;
beforeEach(async () => {
  clock.nowMs = OPENING_MS;
  clinic = await startPracticeClinic({ clock: () => clock.nowMs, seed: "clinic tests", sleep: async () => {} });
});
afterEach(() => clinic.close());

interface Called {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into
  readonly body: any;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const answer = await fetch(`${clinic.origin}/api${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

async function apiToken(): Promise<string> {
  const asked = await call("POST", "/sessions", { patient_number: PATIENT_NUMBER, password: clinic.user.password });
  clinic.control.answerPhone(asked.body.number);
  return (await call("POST", "/sessions/confirm", { challenge: asked.body.challenge })).body.token;
}

const as = (token: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${token}`, ...more });

/** A draft for the first free time of a service, as the last screen has it. */
async function draftOf(token: string, service = "check-up", own = ""): Promise<Called> {
  const { body } = await call("GET", `/free-times?service=${service}`, undefined, as(token));
  const [time] = body.free_times;
  return call("POST", "/booking-drafts", { time_id: time.time_id, own_reference: own }, as(token));
}

describe("signing in by the API", () => {
  test("MFA-2 waits for the phone, and the token comes once", async () => {
    const login = { patient_number: PATIENT_NUMBER, password: clinic.user.password };
    const asked = await call("POST", "/sessions", login);
    expect([asked.status, asked.body.error.code, asked.body.method]).toEqual([401, "second_factor_required", "push"]);
    const { challenge, number } = asked.body;
    expect(clinic.control.phone()?.choices).toContain(number);
    const early = await call("POST", "/sessions/confirm", { challenge });
    expect([early.status, early.body.error.code]).toEqual([409, "second_factor_waiting"]);
    clinic.control.answerPhone(number);
    const done = await call("POST", "/sessions/confirm", { challenge });
    expect(done.status).toBe(200);
    expect((await call("GET", "/patient", undefined, as(done.body.token))).body).toEqual({
      name: "Alex Example",
      patient_number: PATIENT_NUMBER,
    });
    expect((await call("POST", "/sessions/confirm", { challenge })).status).toBe(410);
    expect(clinic.control.counters()).toMatchObject({ signIns: 1, signInFailures: 0 });
  });

  test.each(["not_me", "1"])("MFA-2 %s on the phone opens nothing", async (answer) => {
    const asked = await call("POST", "/sessions", { patient_number: PATIENT_NUMBER, password: clinic.user.password });
    clinic.control.answerPhone(answer);
    const refused = await call("POST", "/sessions/confirm", { challenge: asked.body.challenge });
    expect([refused.status, refused.body.error.code]).toEqual([403, "second_factor_refused"]);
    expect(clinic.control.counters()).toMatchObject({ signIns: 0, signInFailures: 1 });
  });

  test("whoever asks for nothing for a quarter of an hour is signed out, and whoever asks is not", async () => {
    const token = await apiToken();
    for (let n = 0; n < 3; n += 1) {
      clock.nowMs += 14 * 60_000;
      expect((await call("GET", "/patient", undefined, as(token))).status).toBe(200);
    }
    clock.nowMs += 15 * 60_000;
    expect((await call("GET", "/patient", undefined, as(token))).status).toBe(401);
  });
});

describe("booking by the API", () => {
  test("books the time at what it costs, once, and the list has it with the reference", async () => {
    const token = await apiToken();
    const draft = await draftOf(token, "check-up", "CS-1");
    expect(draft.body).toMatchObject({
      copay_cents: 1_500,
      no_show_cents: 3_000,
      currency: "EUR",
      own_reference: "CS-1",
    });
    const key = as(token, { "idempotency-key": "one" });
    const booked = await call("POST", "/appointments", { draft_id: draft.body.draft_id }, key);
    expect(booked.status).toBe(201);
    expect(booked.body).toMatchObject({ status: "booked", starts_at: draft.body.starts_at, copay_cents: 1_500 });
    expect((await call("POST", "/appointments", { draft_id: draft.body.draft_id }, key)).body).toEqual(booked.body);
    expect((await call("POST", "/appointments", { draft_id: draft.body.draft_id }, as(token))).status).toBe(400);
    const again = await call(
      "POST",
      "/appointments",
      { draft_id: draft.body.draft_id },
      as(token, { "idempotency-key": "2" }),
    );
    expect([again.status, again.body.error.code]).toEqual([410, "draft_expired"]);
    const listed = await call("GET", "/appointments?own_reference=CS-1", undefined, as(token));
    expect(listed.body.appointments).toEqual([booked.body]);
    expect(clinic.control.counters().bookings).toBe(1);
    const times = await call("GET", "/free-times?service=check-up", undefined, as(token));
    expect(times.body.free_times[0].starts_at).not.toBe(draft.body.starts_at);
  });

  test("keeps no time free: taken meanwhile is said so, and nothing is booked", async () => {
    const token = await apiToken();
    const draft = await draftOf(token);
    clinic.control.bookElsewhere(clinic.control.freeTimes("check-up")[0]?.id ?? "");
    expect((await call("GET", `/booking-drafts/${draft.body.draft_id}`, undefined, as(token))).body.error.code).toBe(
      "time_taken",
    );
    const late = await call(
      "POST",
      "/appointments",
      { draft_id: draft.body.draft_id },
      as(token, { "idempotency-key": "k" }),
    );
    expect([late.status, late.body.error.code]).toEqual([409, "time_taken"]);
    clinic.control.takeMeanwhile({ times: 1 });
    const other = await draftOf(token);
    const gone = await call(
      "POST",
      "/appointments",
      { draft_id: other.body.draft_id },
      as(token, { "idempotency-key": "l" }),
    );
    expect([gone.status, gone.body.error.code]).toEqual([409, "time_taken"]);
    expect(clinic.control.counters().bookings).toBe(0);
  });

  test("the draft has the price of the moment", async () => {
    const token = await apiToken();
    const draft = await draftOf(token);
    clinic.control.copay(250);
    const now = await call("GET", `/booking-drafts/${draft.body.draft_id}`, undefined, as(token));
    expect(now.body.copay_cents).toBe(1_750);
  });

  test.each([
    ["service=tea", "unknown_service"],
    ["service=physio&practitioner=pr-9", "unknown_practitioner"],
    ["service=physio&practitioner=pr-1", "not_done_by"],
  ])("%s is said to be none: %s", async (query, code) => {
    const token = await apiToken();
    expect((await call("GET", `/free-times?${query}`, undefined, as(token))).body.error.code).toBe(code);
  });

  test("lists come in parts, and all of them together are all", async () => {
    const token = await apiToken();
    const seen: string[] = [];
    let after = "";
    do {
      const { body } = await call("GET", `/appointments?${after}`, undefined, as(token));
      seen.push(...body.appointments.map((each: { number: string }) => each.number));
      after = body.next === undefined ? "" : `after=${body.next}`;
      if (after === "") expect(seen.length).toBe(body.total);
    } while (after !== "");
    expect(new Set(seen).size).toBe(56);
  });
});

describe("pages", () => {
  async function signedIn(): Promise<Visitor> {
    const visitor = new Visitor();
    const login = { patient_number: PATIENT_NUMBER, password: clinic.user.password };
    const waits = await visitor.submit(`${clinic.origin}/sign-in`, "/sign-in", login);
    expect(waits.text).toContain('data-waits="/sign-in/verify/state"');
    clinic.control.answerPhone(/<strong>(\d\d)<\/strong>/.exec(waits.text)?.[1] ?? "");
    await visitor.submit(waits.url, "/sign-in/verify", {});
    return visitor;
  }

  test("a visit is booked in five pages, and a booking that is booked is booked once", async () => {
    const visitor = await signedIn();
    const times = await visitor.get(`${clinic.origin}/book/times?service=physio&practitioner=&from=&to=`);
    const count = Number(/aria-rowcount="(\d+)"/.exec(times.text)?.[1]) - 1;
    // The document has no row: the site's script asks for them.
    expect(times.text).not.toContain("/book/times/ft-");
    const rows = JSON.parse((await visitor.get(`${clinic.origin}/book/rows?service=physio&start=0`)).text);
    expect([rows.total, rows.rows.length]).toEqual([count, 20]);
    const time = `${clinic.origin}${rows.rows[0].href}`;
    const hidden = { time: rows.rows[0].href.split("/").pop(), own_reference: "CS-2" };
    const check = await visitor.submit(time, "/book/drafts", hidden);
    expect(check.text).toContain("<dd>€22.50</dd>");
    expect(check.text).toContain(rows.rows[0].cells[0]);
    const done = await visitor.submit(check.url, `${new URL(check.url).pathname}/confirm`, {});
    expect(done.text).toContain("Your appointment is booked");
    expect((await visitor.get(check.url)).url).toBe(done.url);
    expect(clinic.control.appointments().filter((each) => each.ownReference === "CS-2")).toHaveLength(1);
    expect(clinic.control.counters().bookings).toBe(1);
  });

  test("a quarter of an hour later the person is signed out", async () => {
    const visitor = await signedIn();
    clock.nowMs += 15 * 60_000;
    expect((await visitor.get(`${clinic.origin}/bills`)).url).toContain("/sign-in?next=");
  });

  test("a list that is stuck does not get past its first rows", async () => {
    const visitor = await signedIn();
    clinic.control.stickLists();
    expect((await visitor.get(`${clinic.origin}/appointments/rows?start=0`)).status).toBe(200);
    expect((await visitor.get(`${clinic.origin}/appointments/rows?start=20`)).status).toBe(503);
  });
});

describe("the clinic's clock", () => {
  test("is that of its town, in winter and in summer", () => {
    const winter = atLocal({ day: "2026-12-08", minutes: 560 });
    const summer = atLocal({ day: "2026-07-08", minutes: 560 });
    expect(instantText(winter)).toBe("2026-12-08T09:20:00+00:00");
    expect(instantText(summer)).toBe("2026-07-08T09:20:00+01:00");
    expect(printedVisit(summer, summer + 20 * 60_000)).toBe("Wednesday 8 July 2026, 09:20 to 09:40");
  });
});
