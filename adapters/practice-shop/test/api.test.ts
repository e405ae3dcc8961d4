import type { FormSignIn } from "@countersign/plugin";
import { createHttpRoute } from "@countersign/route-http";
import { assert, type Secret, secret } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Bench, CANCEL, done, LAMP, MEMBERSHIP, ORDER, openShop, type TestShop } from "./harness.ts";
import { adapterSuite } from "./suite.ts";

/** U08: none of these is a confirmation, and none by itself a refusal. */
const STATUSES = [400, 402, 403, 404, 408, 409, 410, 422, 429, 500, 502, 503];

async function begin(bench: Bench): Promise<FormSignIn> {
  const begun = await bench.route.beginSignIn(bench.ctx, bench.destination, {
    take: async () => ({ kind: "go", left: 9 }),
  });
  assert(begun.ok && begun.value.mode === "form", "the API is signed in to by a form");
  return begun.value;
}

function values(fields: Readonly<Record<string, string>>): ReadonlyMap<string, Secret<string>> {
  return new Map(Object.entries(fields).map(([name, value]) => [name, secret(value)]));
}

async function signIn(bench: Bench): Promise<void> {
  const form = await begin(bench);
  const { email, password } = bench.shop.user;
  const more = await form.submit(values({ email, password }));
  assert(more.kind === "more", "the shop asks for a code");
  const done = await form.submit(values({ code: bench.shop.currentCode() }));
  assert(done.kind === "done", "signed in");
  bench.signedIn(done.verified);
}

adapterSuite({
  title: "API",
  orderAnswer: "with_total",
  cancelAnswer: "with_reference",
  orderFaults: [...STATUSES, "half_body", "sign_in_page", "sign_in_redirect"],
  cancelFaults: [...STATUSES, "half_body", "sign_in_page", "sign_in_redirect"],
  signIn,
  async open() {
    const shop = await openShop();
    return { shop, bench: new Bench(shop, createHttpRoute()), stop: () => shop.close() };
  },
});

describe("practice shop by its API alone", () => {
  let shop: TestShop;
  let bench: Bench;
  beforeAll(async () => {
    shop = await openShop();
    bench = new Bench(shop, createHttpRoute());
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    shop.control.reset();
    await signIn(bench);
  });

  it("the committing requests are declared exactly", () => {
    expect(bench.destination.commits).toEqual([
      { method: "POST", path: "/api/v1/orders" },
      { method: "POST", path: "/api/v1/order-cancellations" },
      { method: "POST", path: "/api/v1/membership/cancellation" },
    ]);
  });

  it("a wrong password is refused; a wrong code asks for the code again", async () => {
    const form = await begin(bench);
    const { email, password } = shop.user;
    expect(form.fields.map((field) => field.kind)).toEqual(["email", "password"]);
    expect(await form.submit(values({ email, password: "not this" }))).toMatchObject({ kind: "refused" });
    const first = await form.submit(values({ email, password }));
    expect(first).toMatchObject({ kind: "more", fields: [{ name: "code", kind: "code" }] });
    expect(await form.submit(values({ code: "000000" }))).toMatchObject({ kind: "more", fields: [{ name: "code" }] });
    expect(await form.submit(values({ code: shop.currentCode() }))).toMatchObject({ kind: "done" });
  });

  it("AUT-4 what the person typed goes to the shop's sign-in and nowhere else", async () => {
    bench.fetched.length = 0;
    await signIn(bench);
    expect(bench.fetched.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/session",
      "POST /api/v1/session/verify",
      "GET /api/v1/me",
    ]);
    expect(bench.logged.join()).not.toContain(shop.user.password);
  });

  it("U03 two attempts of one task give one key, two tasks give two", async () => {
    const [one, two] = [await bench.frozen(ORDER, LAMP), await bench.frozen(ORDER, LAMP)];
    const keyOf = (frozen: typeof one) =>
      bench.within(async (session) => {
        const held = done(await bench.commit(ORDER).hold(bench.ctx, session, frozen.record, frozen.state));
        return held.exchange.request.headers.find(([name]) => name === "idempotency-key")?.[1].reveal();
      });
    const first = await keyOf(one);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(await keyOf(one)).toBe(first);
    expect(await keyOf(two)).not.toBe(first);
  });

  it("AUT-4 the held request carries the token as a secret only", async () => {
    const { record, state } = await bench.frozen(ORDER, LAMP);
    const opened = await bench.session();
    assert(opened.ok, "the session opens");
    const held = done(await bench.commit(ORDER).hold(bench.ctx, opened.value.session, record, state));
    const [token] = await opened.value.secrets();
    const authorization = held.exchange.request.headers.find(([name]) => name === "authorization")?.[1];
    expect(authorization?.reveal()).toBe(`Bearer ${token?.reveal()}`);
    expect(JSON.stringify(held)).not.toContain(token?.reveal());
    expect(JSON.stringify(opened.value.session)).not.toContain(token?.reveal());
  });

  it("a token that has run out asks for sign-in before anything is asked of the shop", async () => {
    shop.clock.nowMs += 25 * 3_600_000;
    bench.fetched.length = 0;
    expect(await bench.session()).toEqual({ ok: false, reason: "sign_in" });
    expect(bench.fetched).toEqual([]);
  });

  it("a confirmation of another order confirms nothing", async () => {
    const { record } = await bench.frozen(ORDER, LAMP);
    const { answer } = await bench.submit(await bench.frozen(ORDER, { ...LAMP, item_ref: "CK-1" }));
    assert(answer.ok, "answered");
    expect(bench.commit(ORDER).recognise(answer.value, record)).toEqual({ kind: "unknown" });
  });

  it("a cancellation from long before the submission is not taken for ours", async () => {
    const { submission } = await bench.submit(await bench.frozen(CANCEL, MEMBERSHIP));
    const later = new Date(Date.parse(submission.submittedAt) + 3_600_000).toISOString();
    expect(await bench.readBack({ ...submission, submittedAt: later })).toEqual({ kind: "absent" });
  });
});
