import { createHttpRoute } from "@countersign/route-http";
import { assert, type Secret, secret } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Bench, openShop, type TestShop } from "./harness.ts";

// Calling an order off by the shop's API: what is seen at each step, and what a read-back tells apart.

const CANCEL = "retail.order.cancel";
const NUMBER = "HH-900001";
const OTHER = "HH-900002";
const wish = { order_number: NUMBER, max_kept_minor: 500, currency: "EUR" };
const PAID_MINOR = 4_175;

let shop: TestShop;
let bench: Bench;
beforeAll(async () => {
  shop = await openShop();
  bench = new Bench(shop, createHttpRoute());
});
afterAll(() => shop.close());
beforeEach(async () => {
  shop.control.reset();
  for (const number of [NUMBER, OTHER]) shop.control.placeOrderElsewhere({ sku: "CK-1", quantity: 1, number });
  await signIn();
});

async function signIn(): Promise<void> {
  const begun = await bench.route.beginSignIn(bench.ctx, bench.destination, {
    take: async () => ({ kind: "go", left: 9 }),
  });
  assert(begun.ok && begun.value.mode === "form", "the API is signed in to by a form");
  const { email, password } = shop.user;
  await begun.value.submit(values({ email, password }));
  const done = await begun.value.submit(values({ code: shop.currentCode() }));
  assert(done.kind === "done", "signed in");
  bench.signedIn(done.verified);
}
function values(fields: Readonly<Record<string, string>>): ReadonlyMap<string, Secret<string>> {
  return new Map(Object.entries(fields).map(([name, value]) => [name, secret(value)]));
}
const effects = () => shop.control.counters().orderCancels;

describe("what is shown before", () => {
  it("what comes back, what is kept and to where, as the shop says now", async () => {
    shop.control.cancelFee(150);
    expect(await bench.prepare(CANCEL, wish)).toMatchObject({
      kind: "ready",
      terms: {
        order_number: NUMBER,
        paid_minor: PAID_MINOR,
        refund_minor: PAID_MINOR - 150,
        kept_minor: 150,
        refund_to: "Card ending 4242",
        lines: [{ ref: "CK-1", title: "Camp Kettle", quantity: 1 }],
      },
    });
  });

  it("the shop never keeps more than was paid", async () => {
    shop.control.cancelFee(PAID_MINOR + 1);
    expect(await bench.prepare(CANCEL, wish)).toMatchObject({ terms: { kept_minor: PAID_MINOR, refund_minor: 0 } });
  });

  it("an order that is on its way is refused plainly, and so are one that is cancelled and one that is not there", async () => {
    const sent = shop.control.orders().find(({ status }) => status === "Sent")?.number ?? "";
    shop.control.cancelOrderElsewhere(OTHER);
    const why = async (number: string) => {
      const prepared = await bench.prepare(CANCEL, { ...wish, order_number: number });
      return prepared.kind === "gap" ? prepared.why : prepared.kind;
    };
    expect(await why(sent)).toMatch(/on its way already/);
    expect(await why(OTHER)).toMatch(/cancelled already/);
    expect(await why("HH-1")).toMatch(/no such order/);
  });
});

describe("STA-3 what became of it", () => {
  it("is confirmed by the shop's own number for it, with what comes back", async () => {
    const { recognised } = await bench.submit(await bench.frozen(CANCEL, wish));
    expect(recognised).toMatchObject({
      kind: "confirmed",
      confirmation: expect.stringMatching(/^CN-/),
      result: { order_number: NUMBER, refund_minor: PAID_MINOR },
      observed: { kept_minor: 0 },
    });
    expect(effects()).toBe(1);
  });

  it("a fee that came in between is told as observed", async () => {
    const { recognised } = await bench.submit(await bench.frozen(CANCEL, wish), () => shop.control.cancelFee(200));
    expect(recognised).toMatchObject({ kind: "confirmed", observed: { kept_minor: 200 } });
  });

  it("a refusal in the shop's own words is one", async () => {
    shop.control.refuse({ times: 1, on: "order_cancellation" });
    const { recognised, submission } = await bench.submit(await bench.frozen(CANCEL, wish));
    expect(recognised).toMatchObject({ kind: "refused" });
    expect(await bench.readBack(submission)).toEqual({ kind: "absent" });
    expect(effects()).toBe(0);
  });

  it.each([409, 422, 500, 502, "half_body", "sign_in_page"] as const)(
    "answered with %s is unknown, then found",
    async (answer) => {
      shop.control.commitThen(answer, { times: 1 });
      const { recognised, submission } = await bench.submit(await bench.frozen(CANCEL, wish));
      expect(recognised).toEqual({ kind: "unknown" });
      expect(await bench.readBack(submission)).toMatchObject({ kind: "found", result: { order_number: NUMBER } });
    },
  );

  it("the person's own cancellation is never taken for this one", async () => {
    const { recognised, submission } = await bench.submit(await bench.frozen(CANCEL, wish), () => {
      shop.control.cancelOrderElsewhere(NUMBER);
    });
    expect(recognised).toEqual({ kind: "unknown" });
    expect(await bench.readBack(submission)).toEqual({ kind: "absent" });
    expect(effects()).toBe(0);
  });

  it("STA-8 is found by the record alone", async () => {
    const frozen = await bench.frozen(CANCEL, wish);
    const { submission } = await bench.submit(frozen);
    const trace = bench.commit(CANCEL).trace?.(frozen.record, frozen.state) ?? {};
    expect(await bench.readBack({ ...submission, fingerprint: trace })).toMatchObject({ kind: "found" });
    const other = await bench.frozen(CANCEL, { ...wish, order_number: OTHER });
    expect(await bench.readBack({ ...submission, record: other.record, fingerprint: trace })).toEqual({
      kind: "absent",
    });
  });

  it("a confirmation of another order confirms nothing", async () => {
    const { answer } = await bench.submit(await bench.frozen(CANCEL, { ...wish, order_number: OTHER }));
    assert(answer.ok, "answered");
    const { record } = await bench.frozen(CANCEL, wish);
    expect(bench.commit(CANCEL).recognise(answer.value, record)).toEqual({ kind: "unknown" });
  });
});
