import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keyFromUtility, type PracticeUtility, startPracticeUtility, Visitor } from "../src/index.ts";
import { onePagePdf } from "../src/utility/pdf.ts";

const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);

let utility: PracticeUtility;
let nowMs = OPENING_MS;
beforeEach(async () => {
  nowMs = OPENING_MS;
  utility = await startPracticeUtility({ seed: "tests", clock: () => nowMs, sleep: async () => {} });
});
afterEach(() => utility.close());

async function api(key: string, path: string, init: RequestInit = {}) {
  const headers = { "x-northlight-key": key, "content-type": "application/json", ...(init.headers as object) };
  const response = await fetch(`${utility.origin}/api${path}`, { ...init, headers });
  const body = (await response.json()) as Record<string, unknown> & { errors?: [{ code: string }] };
  return { status: response.status, body, code: body.errors?.[0].code };
}
const post = (key: string, path: string, body: object, headers: Record<string, string> = {}) =>
  api(key, path, { method: "POST", body: JSON.stringify(body), headers });

async function signedIn(): Promise<{ readonly visitor: Visitor; readonly csrf: string }> {
  const visitor = new Visitor();
  const { email, password } = utility.user;
  await visitor.submit(`${utility.origin}/sign-in`, "/sign-in", { email, password });
  const code = utility.control.mailedCode() ?? "";
  const { text } = await visitor.submit(`${utility.origin}/sign-in/verify`, "/sign-in/verify", { code });
  return { visitor, csrf: /<meta name="csrf-token" content="([^"]*)">/.exec(text)?.[1] ?? "" };
}

describe("the second factor", () => {
  test("is the code of the newest mail, which works once", async () => {
    await keyFromUtility(utility, "mistyped");
    expect(utility.control.counters()).toMatchObject({ signIns: 1, signInFailures: 1, keys: 1 });
    expect(utility.control.mailbox()).toEqual([
      expect.objectContaining({ to: utility.user.email, subject: "Your code for Northlight Energy" }),
    ]);
    expect(utility.control.mailedCode()).toBeUndefined();
  });
});

describe("a key", () => {
  test("opens the API until it is revoked, and is shown once", async () => {
    const key = await keyFromUtility(utility);
    expect(key).toMatch(/^nle_[\w-]{43}$/);
    expect((await api(key, "/customer")).body).toMatchObject({ name: "Alex Example", customer_number: "55308817" });
    expect((await api(`${key.slice(0, -1)}_`, "/customer")).code).toBe("unauthenticated");
    const { visitor, csrf } = await signedIn();
    const listed = await visitor.get(`${utility.origin}/data/keys`);
    expect(listed.text).not.toContain(key);
    const { keys } = JSON.parse(listed.text) as { keys: [{ id: string }] };
    expect((await visitor.ask(`${utility.origin}/data/keys/${keys[0].id}/revoke`, {}, "other")).status).toBe(403);
    expect((await visitor.ask(`${utility.origin}/data/keys/${keys[0].id}/revoke`, {}, csrf)).status).toBe(200);
    expect((await api(key, "/customer")).status).toBe(401);
  });

  test("makes no key, and the pages' session opens no API", async () => {
    const key = await keyFromUtility(utility);
    expect((await post(key, "/keys", { name: "another" })).status).toBe(404);
    const { visitor } = await signedIn();
    expect((await visitor.get(`${utility.origin}/api/customer`)).status).toBe(401);
    expect((await new Visitor().get(`${utility.origin}/data/customer`)).status).toBe(401);
  });
});

describe("a payment", () => {
  test("is a draft that holds the wish and not the fee; confirming it takes the fee of the moment, once", async () => {
    const key = await keyFromUtility(utility);
    const { body: draft } = await post(key, "/drafts", { kind: "payment", bill: "208841", reference: "CS-1" });
    expect(draft).toMatchObject({ amount_cents: 9_208, fee_cents: 35, total_cents: 9_243, method: "pm-visa" });
    utility.control.fee(40);
    expect((await api(key, `/drafts/${draft["draft"]}`)).body).toMatchObject({ fee_cents: 75, total_cents: 9_283 });
    const pay = (headers: Record<string, string>) => post(key, "/payments", { draft: draft["draft"] }, headers);
    expect((await pay({})).code).toBe("idempotency_key_missing");
    const first = await pay({ "idempotency-key": "k1" });
    expect(first).toMatchObject({ status: 201, body: { status: "paid", total_cents: 9_283, reference: "CS-1" } });
    expect((await pay({ "idempotency-key": "k1" })).body).toEqual(first.body);
    expect((await pay({ "idempotency-key": "k2" })).code).toBe("draft_done");
    expect((await api(key, `/drafts/${draft["draft"]}`)).code).toBe("draft_done");
    expect((await api(key, "/payments?reference=CS-1")).body["payments"]).toHaveLength(1);
    expect((await api(key, "/bills/208841")).body).toMatchObject({ open_cents: 0, status: "paid" });
    expect((await post(key, "/drafts", { kind: "payment", bill: "208841" })).code).toBe("nothing_to_pay");
    expect(utility.control.counters()).toMatchObject({ submits: 4, payments: 1 });
  });

  test("for a later day leaves the bill open until then, and is not made twice", async () => {
    const key = await keyFromUtility(utility);
    const wish = { kind: "payment", bill: "208841", method: "pm-bank", on: "2026-12-05" };
    const { body: draft } = await post(key, "/drafts", wish);
    expect(draft).toMatchObject({ fee_cents: 0, pay_on: "2026-12-05" });
    await post(key, "/payments", { draft: draft["draft"] }, { "idempotency-key": "k" });
    expect((await api(key, "/bills/208841")).body).toMatchObject({ open_cents: 9_208, payable_cents: 0 });
    expect((await post(key, "/drafts", wish)).code).toBe("nothing_to_pay");
    nowMs += 6 * 24 * 3_600_000;
    expect((await api(key, "/bills/208841")).body).toMatchObject({ open_cents: 0 });
  });

  test("is confirmed by no draft of another kind, and by none that is old", async () => {
    const key = await keyFromUtility(utility);
    const { body: plan } = await post(key, "/drafts", { kind: "plan", contract: "447103", plan: "el-green-12" });
    expect((await post(key, "/payments", { draft: plan["draft"] }, { "idempotency-key": "k" })).code).toBe(
      "draft_expired",
    );
    nowMs += 16 * 60_000;
    expect((await post(key, "/plan-changes", { draft: plan["draft"] }, { "idempotency-key": "k" })).code).toBe(
      "draft_expired",
    );
  });
});

test("the sum of what is open is that of the bills to pay, and credits are none", async () => {
  const key = await keyFromUtility(utility);
  const { body } = await api(key, "/bills?show=to_pay");
  const bills = body["bills"] as readonly { id: string; payable_cents: number; status: string }[];
  expect(bills.map(({ id, status }) => [id, status])).toEqual([
    ["208841", "open"],
    ["208833", "open"],
    ["208811", "overdue"],
  ]);
  expect(bills.every(({ payable_cents: cents }) => cents > 0)).toBe(true);
  const all = await api(key, "/bills");
  expect(all.body).toMatchObject({ page: 1, pages: 2 });
  expect((await api(key, "/bills?page=3")).code).toBe("invalid_request");
});

test("a plan is announced for the first of the next month, at the price of the moment", async () => {
  const key = await keyFromUtility(utility);
  const wish = { kind: "plan", contract: "447103", plan: "el-green-12", reference: "CS-2" };
  const { body: draft } = await post(key, "/drafts", wish);
  expect(draft).toMatchObject({ price_cents: 1_290, starts_on: "2026-12-01", bound_ends_on: "2027-11-30" });
  const made = await post(key, "/plan-changes", { draft: draft["draft"] }, { "idempotency-key": "k" });
  expect(made).toMatchObject({ status: 201, body: { number: expect.stringMatching(/^NC-/), reference: "CS-2" } });
  expect((await post(key, "/drafts", wish)).code).toBe("change_announced");
  expect((await post(key, "/drafts", { ...wish, plan: "gas-flex" })).code).toBe("unknown_plan");
});

test("automatic payment is turned on and off, and says when it first charges", async () => {
  const key = await keyFromUtility(utility);
  const wish = { kind: "autopay", contract: "447103", autopay: "on", method: "pm-bank" };
  const { body: draft } = await post(key, "/drafts", wish);
  expect(draft).toMatchObject({ present: "off", first_on: "2027-01-11", charged: "On the day each bill is due" });
  await post(key, "/autopay", { draft: draft["draft"] }, { "idempotency-key": "k" });
  expect((await post(key, "/drafts", wish)).code).toBe("nothing_to_change");
  const { body } = await api(key, "/contracts");
  expect(body["contracts"]).toContainEqual(
    expect.objectContaining({ id: "447103", autopay: expect.objectContaining({ state: "on" }) }),
  );
});

describe("a bill as a PDF", () => {
  test("is a document whose table leads to each of its objects, with readable text", async () => {
    const { visitor } = await signedIn();
    const { text, status } = await visitor.get(`${utility.origin}/bills/208841/bill.pdf`);
    expect(status).toBe(200);
    expect(text.startsWith("%PDF-1.4\n")).toBe(true);
    expect(text).toContain("(EUR 92.08) Tj");
    expect(text).toContain("(NL-208841) Tj");
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    expect(text.slice(start, start + 4)).toBe("xref");
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(offsets).toHaveLength(7);
    for (const [at, offset] of offsets.entries()) expect(text.slice(offset)).toMatch(new RegExp(`^${at + 1} 0 obj\n`));
    const [, length, stream] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(text) ?? [];
    expect(stream).toHaveLength(Number(length));
  });

  test("escapes what would end its strings", () => {
    const text = onePagePdf("a (b", [{ x: 1, y: 2, size: 3, text: "(x) \\ €" }]);
    expect(text).toContain("(\\(x\\) \\\\ ?) Tj");
    expect(text).toContain("/Title (a \\(b)");
  });

  test("of somebody who is not signed in leads to the sign-in", async () => {
    expect((await new Visitor().get(`${utility.origin}/bills/208841/bill.pdf`)).url).toContain("/sign-in?next=");
  });
});
