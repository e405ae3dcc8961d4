import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PracticeSubscriptions, startPracticeSubscriptions } from "../src/index.ts";
import { csrfOf } from "./shopper.ts";

const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);

let service: PracticeSubscriptions;
let cookie = "";
beforeEach(async () => {
  cookie = "";
  service = await startPracticeSubscriptions({ seed: "tests", clock: () => OPENING_MS });
});
afterEach(() => service.close());

async function send(path: string, fields?: Readonly<Record<string, string>>) {
  const response = await fetch(new URL(path, service.origin), {
    redirect: "manual",
    headers: cookie === "" ? {} : { cookie },
    ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }),
  });
  cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
  return { status: response.status, text: await response.text(), location: response.headers.get("location") ?? "" };
}
const submit = async (page: string, path: string, fields: Readonly<Record<string, string>>) =>
  send(path, { csrf: csrfOf((await send(page)).text), ...fields });

async function signIn(): Promise<void> {
  await submit("/sign-in", "/sign-in", { email: service.user.email, password: service.user.password });
  await submit("/sign-in/verify", "/sign-in/verify", { code: service.currentCode() });
}

async function program() {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.origin}/api/v2${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const asked = await post("/auth/password", { email: service.user.email, password: service.user.password });
  const code = { challenge: asked.body.challenge, code: service.currentCode() };
  const { token } = (await post("/auth/code", code)).body;
  return (path: string, body: unknown, key?: string) =>
    post(path, body, {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    });
}

describe("cancelling on the pages", () => {
  test("goes by a reason, each offer to stay, a box and a word; only the whole of it cancels", async () => {
    await signIn();
    const first = await submit("/subscriptions/lantern/cancel", "/subscriptions/lantern/cancel", { reason: "0" });
    expect(first.location).toMatch(/^\/leaving\/[\w-]+\/offers\/1$/);
    const offer = await send(first.location);
    expect(offer.text).toContain("Half price for three months");
    expect(offer.text).toContain("No thanks, continue to cancel");
    const second = first.location.replace(/1$/, "2");
    expect((await send(second)).text).toContain("Take a break instead");
    const last = first.location.replace("offers/1", "confirm");
    expect((await submit(last, last, { understood: "yes", word: "cancel" })).status).toBe(422);
    expect((await submit(last, last, { word: "CANCEL" })).status).toBe(422);
    expect(service.control.counters()).toMatchObject({ cancels: 0 });
    const done = await submit(last, last, { understood: "yes", word: "CANCEL" });
    expect(done.location).toMatch(/^\/cancellations\/LC-\d+$/);
    expect(service.control.counters()).toMatchObject({ cancels: 1, offersTaken: 0 });
    // What was confirmed leads on to what came of it, and once more changes nothing.
    expect((await send(last)).location).toBe(done.location);
    expect((await send("/subscriptions/lantern/cancel")).status).toBe(409);
  });

  test("an offer that is taken up is another contract, and counted", async () => {
    await signIn();
    const first = await submit("/subscriptions/lantern/cancel", "/subscriptions/lantern/cancel", { reason: "1" });
    await submit(first.location, `${first.location}/take`, {});
    expect(service.control.counters()).toMatchObject({ cancels: 0, offersTaken: 1, submits: 1 });
  });

  test("what is offered is of the moment", async () => {
    await signIn();
    const first = await submit("/subscriptions/lantern/cancel", "/subscriptions/lantern/cancel", { reason: "1" });
    service.control.offer("another");
    expect((await send(first.location)).text).toContain("One month as our guest");
  });
});

describe("another plan", () => {
  test.each([
    // 18 of 30 days are left of the month that began on 18 November: 500 * 18 / 30.
    ["a dearer one begins at once, for its share of the days", "lantern", "premium", 300, "2026-11-30"],
    ["a cheaper one begins with the next period", "lantern", "basic", 0, "2026-12-18"],
    ["one by the year begins with the next period", "lantern", "standard-year", 0, "2026-12-18"],
    // Of the month that began on 10 November: 600 * 10 / 30.
    ["so does one of an add-on", "tunes", "house", 200, "2026-11-30"],
    ["what was a trial is paid when it is over", "arena", "arena-season", 0, "2026-12-09"],
  ])("%s", async (_, subscription, plan, dueMinor, startsOn) => {
    const post = await program();
    const quote = await post(`/subscriptions/${subscription}/plan-preview`, { plan });
    expect(quote.body).toMatchObject({ due_now: { minor: dueMinor, currency: "EUR" }, starts_on: startsOn });
  });

  test("a share that is no whole cent is rounded, halves up", async () => {
    const post = await program();
    service.control.price(1);
    // 501 * 18 / 30 are 300.6.
    expect((await post("/subscriptions/lantern/plan-preview", { plan: "premium" })).body.due_now.minor).toBe(301);
    service.control.price(-1);
    // 499 * 18 / 30 are 299.4.
    expect((await post("/subscriptions/lantern/plan-preview", { plan: "premium" })).body.due_now.minor).toBe(299);
  });

  test("is under a key; its repeat is the first one's answer and one change", async () => {
    const post = await program();
    const { preview } = (await post("/subscriptions/lantern/plan-preview", { plan: "premium" })).body;
    const body = { preview, reference: "CS-1" };
    expect((await post("/plan-changes", body)).body.errors[0].code).toBe("idempotency_key_missing");
    const first = await post("/plan-changes", body, "k1");
    expect(first).toMatchObject({ status: 201, body: { reference: "CS-1", due_now: { minor: 300 } } });
    expect((await post("/plan-changes", body, "k1")).body).toEqual(first.body);
    expect((await post("/plan-changes", body, "k2")).status).toBe(410);
    expect(service.control.counters()).toMatchObject({ planChanges: 1 });
    expect(service.control.subscriptions()[0]?.plan.id).toBe("premium");
  });
});

describe("what the service keeps of the person", () => {
  test("a new e-mail address waits to be confirmed; a telephone number is changed", async () => {
    const post = await program();
    const email = (await post("/account/preview", { email: "new@mail.example" })).body;
    expect(email).toMatchObject({ until_now: "alex@practice.example", opens_account: true });
    const done = await post("/account/contact", { preview: email.preview, reference: "CS-2" }, "k1");
    expect(done.body).toMatchObject({ to_be_confirmed: true, from_now: "new@mail.example" });
    const phone = (await post("/account/preview", { phone: "+353861234567" })).body;
    expect((await post("/account/address", { preview: phone.preview }, "k2")).status).toBe(400);
    expect((await post("/account/contact", { preview: phone.preview }, "k3")).body.to_be_confirmed).toBe(false);
    expect(service.control.counters()).toMatchObject({ contactChanges: 2, addressChanges: 0 });
  });

  test.each([
    [{ email: "nobody" }, "invalid_email"],
    [{ phone: "01 234" }, "invalid_phone"],
    [{ billing_address: { name: "A" } }, "invalid_address"],
    [{ email: "alex@practice.example" }, "same_value"],
    [{ email: "a@b.example", phone: "+353861234567" }, "invalid_request"],
  ])("%o is refused: %s", async (body, code) => {
    const post = await program();
    expect((await post("/account/preview", body)).body.errors[0].code).toBe(code);
  });
});
