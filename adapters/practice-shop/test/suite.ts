import { SiteTrouble } from "@countersign/plugin";
import { retailOrdersList } from "@countersign/profile";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bench, CANCEL, done, LAMP, MEMBERSHIP, OPENING_MS, ORDER, ORDERS, type TestShop } from "./harness.ts";

type FaultAnswer = Parameters<TestShop["control"]["commitThen"]>[0];

export interface Subject {
  readonly title: string;
  /** Counted as the committing requests of this route. */
  open(): Promise<{ readonly shop: TestShop; readonly bench: Bench; stop(): Promise<void> }>;
  /** Signs in as a person does. */
  signIn(bench: Bench): Promise<void>;
  /** Whether the answer to an order tells what was charged. */
  readonly orderAnswer: "with_total" | "number_only";
  /** Whether the answer to a cancellation tells its reference. */
  readonly cancelAnswer: "with_reference" | "nothing";
  /** Answers in place of the shop's own that are driven all the way here. */
  readonly orderFaults: readonly FaultAnswer[];
  readonly cancelFaults: readonly FaultAnswer[];
}

/** What holds of the adapters by either route. */
export function adapterSuite(subject: Subject): void {
  describe(`practice shop by its ${subject.title}`, () => {
    let shop: TestShop;
    let bench: Bench;
    let stop: () => Promise<void>;

    beforeAll(async () => {
      const opened = await subject.open();
      ({ shop, bench } = opened);
      stop = opened.stop;
    });
    afterAll(async () => stop());
    beforeEach(async () => {
      shop.control.reset();
      shop.clock.nowMs = OPENING_MS;
      await subject.signIn(bench);
    });
    afterEach(async () => {
      await bench.closeAll();
      expect(shop.control.counters().foreignTokens).toBe(0);
    });

    it("U44 the account's name and rows are the shop's own", () => {
      expect(bench.identity.name).toBe("Alex Example (a***@practice.example)");
      const rows = bench.identity.details.map(({ kind, siteKey, label }) => `${kind} ${siteKey} ${label}`);
      expect(rows).toEqual([
        "fulfillment home Home",
        "fulfillment work Work",
        "instrument card-4242 Card ending 4242",
        "instrument card-1881 Card ending 1881",
      ]);
      expect(bench.identity.details[0]?.value).toEqual({ text: "Alex Example, 14 Harbour Street, Dublin 4" });
    });

    it("MAP-6 past orders are real rows of the account, newest first", async () => {
      const read = await bench.read(ORDERS, { limit: 2 });
      expect(read.kind).toBe("done");
      const { orders } = retailOrdersList.result.parse(read.kind === "done" ? read.result : undefined) as {
        orders: Record<string, unknown>[];
      };
      const real = shop.control.orders().slice(0, 2);
      expect(orders).toEqual(
        real.map((order) => ({
          order_number: order.number,
          placed_at: new Date(order.placedAtMs).toISOString(),
          status: order.status.toLowerCase(),
          currency: "EUR",
          total_minor: order.totalMinor,
          lines: order.lines.map((l) => ({
            ref: l.sku,
            title: l.title,
            quantity: l.quantity,
            unit_minor: l.unitMinor,
          })),
        })),
      );
    });

    describe("an order", () => {
      it("APR-2 the terms are those of the last screen, the address apart from them", async () => {
        const prepared = await bench.prepare(ORDER, { ...LAMP, quantity: 2, fulfillment_ref: "det_fulfillment_work" });
        expect(prepared).toMatchObject({
          kind: "ready",
          terms: {
            payee: new URL(shop.origin).host,
            currency: "EUR",
            minor_digits: 2,
            total_minor: 9480,
            lines: [
              { kind: "item", ref: "TL-200", title: "Trail Lamp 200", quantity: 2, unit_minor: 4490 },
              { kind: "delivery", ref: "standard", title: "Standard delivery", quantity: 1, unit_minor: 500 },
            ],
            instrument: "Card ending 4242",
            fulfillment_ref: "det_fulfillment_work",
          },
          personal: { ship_to: "Alex Example, 3rd floor, 2 Mill Lane, Dublin 8" },
        });
        expect(shop.control.counters().submits).toBe(0);
      });

      it("a variant is ordered by its own number", async () => {
        const prepared = await bench.prepare(ORDER, { ...LAMP, item_ref: "WB-750-SAND" });
        expect(prepared).toMatchObject({
          kind: "ready",
          terms: { lines: [{ ref: "WB-750-SAND", title: "Steel Bottle 750 ml, Sand" }, {}] },
        });
      });

      it.each([
        ["sold out", { item_ref: "WN-9" }],
        ["unknown", { item_ref: "NOT-1" }],
        ["a product of which one must choose a variant", { item_ref: "WB-750" }],
        ["more than the shop sells of one", { quantity: 100 }],
        ["delivered to a reference that is none of this account", { fulfillment_ref: "det_of_another" }],
        ["delivered to a card", { fulfillment_ref: "det_instrument_card-4242" }],
      ])("MAP-7 what is %s is a gap and nothing is committed", async (_, change) => {
        expect(await bench.prepare(ORDER, { ...LAMP, ...change })).toMatchObject({ kind: "gap" });
        expect(shop.control.counters().submits).toBe(0);
      });

      it("STA-2 is held unsent, observed, sent once and confirmed by its number", async () => {
        const frozen = await bench.frozen(ORDER, LAMP);
        const submitted = await bench.submit(frozen, ({ observed }) => {
          expect(shop.control.counters().submits).toBe(0);
          expect(observed.terms).toEqual(frozen.record.terms);
          expect(observed.personal).toEqual({ ship_to: "Alex Example, 14 Harbour Street, Dublin 4" });
        });
        const [order] = shop.control.orders();
        expect(order).toMatchObject({ totalMinor: 4990, note: "", lines: [{ sku: "TL-200", quantity: 1 }] });
        expect(submitted.recognised).toMatchObject({
          kind: "confirmed",
          confirmation: order?.number,
          result: { order_number: order?.number, currency: "EUR", total_minor: 4990 },
        });
        expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
      });

      it("STA-2 a held order that is abandoned never leaves", async () => {
        const frozen = await bench.frozen(ORDER, LAMP);
        await bench.within(async (session) => {
          const held = done(await bench.commit(ORDER).hold(bench.ctx, session, frozen.record, frozen.state));
          await held.exchange.abandon();
        });
        expect(shop.control.counters().submits).toBe(0);
      });

      it("STA-3 (U04) a lost answer is found by fingerprint: exactly one order", async () => {
        shop.control.commitThenDrop({ times: 1 });
        const { recognised, submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        expect(recognised).toEqual({ kind: "unknown" });
        const [order] = shop.control.orders();
        expect(await bench.readBack(submission)).toEqual({
          kind: "found",
          confirmation: order?.number,
          result: {
            order_number: order?.number,
            currency: "EUR",
            total_minor: 4990,
            placed_at: new Date(OPENING_MS).toISOString(),
          },
          observed: { currency: "EUR", total_minor: 4990 },
        });
        expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
      });

      it("STA-3 (U04) with an equal order placed elsewhere it cannot be told, and is not", async () => {
        shop.control.commitThenDrop({ times: 1 });
        const { submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        shop.control.placeOrderElsewhere({ sku: "TL-200", quantity: 1 });
        expect(await bench.readBack(submission)).toMatchObject({ kind: "unclear" });
      });

      it("STA-3 an equal order from before is not taken for ours", async () => {
        shop.control.placeOrderElsewhere({ sku: "TL-200", quantity: 1 });
        shop.control.commitThenDrop({ times: 1 });
        const { submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        expect(await bench.readBack(submission)).toMatchObject({
          kind: "found",
          confirmation: shop.control.orders()[0]?.number,
        });
      });

      it("STA-3 a request that was dropped unread is absent only while the shop still has it to order", async () => {
        shop.control.dropBeforeCommit({ times: 1 });
        const { submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        expect(await bench.readBack(submission)).toEqual({ kind: "absent" });
        expect(shop.control.counters().orders).toBe(0);
      });

      it("STA-3 without the order and without its cart it stays unclear; a quote that has run out can become none any more", async () => {
        shop.control.dropBeforeCommit({ times: 1 });
        const { submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        shop.clock.nowMs += 16 * 60_000;
        if (bench.route.kind === "browser") await emptyCart(bench);
        const kind = bench.route.kind === "browser" ? "unclear" : "absent";
        expect(await bench.readBack(submission)).toMatchObject({ kind });
      });

      it("STA-4 while the history is down, reading back is trouble and no verdict", async () => {
        shop.control.commitThenDrop({ times: 1 });
        const { submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        shop.control.readBack("down");
        await expect(bench.readBack(submission)).rejects.toThrow(SiteTrouble);
        shop.control.readBack("up");
        expect(await bench.readBack(submission)).toMatchObject({ kind: "found" });
      });

      it("decisions 10 a charge above the approved total is reported by the answer or the read-back", async () => {
        shop.control.chargeOver(300, { times: 1 });
        const { recognised, submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        const observed = { observed: { currency: "EUR", total_minor: 5290 } };
        if (subject.orderAnswer === "with_total") expect(recognised).toMatchObject(observed);
        else expect(recognised).not.toHaveProperty("observed");
        expect(await bench.readBack(submission)).toMatchObject({ kind: "found", ...observed });
      });

      it.each([
        ["a higher price", () => shop.control.price("TL-200", 100), { total_minor: 5090 }],
        ["a dearer delivery", () => shop.control.total(1), { total_minor: 4991 }],
        [
          "another title",
          () => shop.control.title("Trail Lamp 100", "TL-200"),
          { lines: [{ title: "Trail Lamp 100" }, {}] },
        ],
      ])("APR-5 %s after the approval is seen at the boundary", async (_, change, seen) => {
        const frozen = await bench.frozen(ORDER, LAMP);
        await bench.within(async (session) => {
          const adapter = bench.commit(ORDER);
          const held = done(await adapter.hold(bench.ctx, session, frozen.record, frozen.state));
          change();
          const observed = done(await adapter.observe(bench.ctx, session, frozen.record, frozen.state));
          expect(observed.terms).toMatchObject(seen);
          await held.exchange.abandon();
        });
        expect(shop.control.counters().submits).toBe(0);
      });

      it("a refusal in the shop's own words is refused, and nothing was ordered", async () => {
        shop.control.refuse({ times: 1 });
        const { recognised } = await bench.submit(await bench.frozen(ORDER, LAMP));
        expect(recognised).toMatchObject({ kind: "refused" });
        expect(shop.control.counters().orders).toBe(0);
      });

      it.each(subject.orderFaults)(
        "STA-4 (U08) committed and answered with %s is unknown, then found",
        async (answer) => {
          shop.control.commitThen(answer, { times: 1 });
          const { recognised, submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
          expect(recognised).toEqual({ kind: "unknown" });
          expect(await bench.readBack(submission)).toMatchObject({ kind: "found" });
          expect(shop.control.counters()).toMatchObject({ submits: 1, orders: 1 });
        },
      );

      it("STA-4 not committed and answered with 200 is unknown, then absent", async () => {
        shop.control.withoutCommitThen("sign_in_page", { times: 1 });
        const { recognised, submission } = await bench.submit(await bench.frozen(ORDER, LAMP));
        expect(recognised).toEqual({ kind: "unknown" });
        expect(await bench.readBack(submission)).toEqual({ kind: "absent" });
      });

      it("goes on after the person took longer than the shop's own quote", async () => {
        const frozen = await bench.frozen(ORDER, LAMP);
        shop.clock.nowMs += 20 * 60_000;
        const { recognised, observed } = await bench.submit(frozen);
        expect(observed.terms).toEqual(frozen.record.terms);
        expect(recognised).toMatchObject({ kind: "confirmed" });
      });

      it("decisions 12 state of another version is refused, not guessed", async () => {
        const { record, state } = await bench.frozen(ORDER, LAMP);
        const other = { ...state, v: 2 };
        await bench.within(async (session) => {
          expect(await bench.commit(ORDER).hold(bench.ctx, session, record, other)).toMatchObject({ kind: "gap" });
        });
        const { submission } = await bench.submit({ record, state });
        const found = await bench.readBack({ ...submission, fingerprint: { ...submission.fingerprint, v: 2 } });
        expect(found).toMatchObject({ kind: "unclear" });
      });
    });

    describe("a cancellation", () => {
      it("shows what is lost, in the shop's own words", async () => {
        expect(await bench.prepare(CANCEL, MEMBERSHIP)).toMatchObject({
          kind: "ready",
          terms: {
            provider: new URL(shop.origin).host,
            subscription_ref: "membership",
            plan: "Trail Club",
            ends_on: "2026-12-18",
            consequence:
              "Member prices and free returns stay until that day. No further payments are taken. There is no refund for the days left.",
          },
        });
        expect(shop.control.counters()).toMatchObject({ submits: 0, offersTaken: 0 });
      });

      it("is made once; its reference is the shop's", async () => {
        const frozen = await bench.frozen(CANCEL, MEMBERSHIP);
        const { recognised, submission } = await bench.submit(frozen, ({ observed }) => {
          expect(shop.control.counters().submits).toBe(0);
          expect(observed.terms).toEqual(frozen.record.terms);
        });
        const result = { cancellation_ref: expect.stringMatching(/^MC-[0-9A-F]{8}$/), ends_on: "2026-12-18" };
        if (subject.cancelAnswer === "with_reference") expect(recognised).toMatchObject({ kind: "confirmed", result });
        else expect(recognised).toEqual({ kind: "unknown" });
        expect(await bench.readBack(submission)).toMatchObject({ kind: "found", result });
        expect(shop.control.counters()).toMatchObject({ submits: 1, cancels: 1 });
      });

      it("of another subscription, or of one that is cancelled, is a gap", async () => {
        expect(await bench.prepare(CANCEL, { subscription_ref: "newspaper" })).toMatchObject({ kind: "gap" });
        await bench.submit(await bench.frozen(CANCEL, MEMBERSHIP));
        expect(await bench.prepare(CANCEL, MEMBERSHIP)).toMatchObject({ kind: "gap" });
        expect(shop.control.counters().submits).toBe(1);
      });

      it("that somebody made while the person decided is a gap, not a second one", async () => {
        const first = await bench.frozen(CANCEL, MEMBERSHIP);
        await bench.submit(await bench.frozen(CANCEL, MEMBERSHIP));
        await bench.within(async (session) => {
          const step = await bench.commit(CANCEL).hold(bench.ctx, session, first.record, first.state);
          expect(step).toMatchObject({ kind: "gap" });
        });
        expect(shop.control.counters().submits).toBe(1);
      });

      it("STA-3 whose answer was lost is found", async () => {
        shop.control.commitThenDrop({ times: 1 });
        const { recognised, submission } = await bench.submit(await bench.frozen(CANCEL, MEMBERSHIP));
        expect(recognised).toEqual({ kind: "unknown" });
        expect(await bench.readBack(submission)).toMatchObject({ kind: "found", result: { ends_on: "2026-12-18" } });
      });

      it("STA-3 that never arrived is absent while the membership is active", async () => {
        shop.control.dropBeforeCommit({ times: 1 });
        const { submission } = await bench.submit(await bench.frozen(CANCEL, MEMBERSHIP));
        expect(await bench.readBack(submission)).toEqual({ kind: "absent" });
      });

      it("that the shop refuses in its own words is refused", async () => {
        shop.control.refuse({ times: 1 });
        const { recognised } = await bench.submit(await bench.frozen(CANCEL, MEMBERSHIP));
        expect(recognised).toMatchObject({ kind: "refused" });
        expect(shop.control.counters().cancels).toBe(0);
      });

      it.each(subject.cancelFaults)("STA-4 answered with %s is unknown, then found", async (answer) => {
        shop.control.commitThen(answer, { times: 1 });
        const { recognised, submission } = await bench.submit(await bench.frozen(CANCEL, MEMBERSHIP));
        expect(recognised).toEqual({ kind: "unknown" });
        expect(await bench.readBack(submission)).toMatchObject({ kind: "found" });
      });
    });

    describe("MFA-1 once the shop has ended the session", () => {
      it.each([ORDER, CANCEL])("%s asks for sign-in at every step", async (operation) => {
        const params = operation === ORDER ? LAMP : MEMBERSHIP;
        const { record, state } = await bench.frozen(operation, params);
        const submitted = await bench.submit({ record, state });
        const adapter = bench.commit(operation);
        shop.control.endSession();
        expect(await bench.prepare(operation, params)).toEqual({ kind: "sign_in" });
        const hold = await bench.within((session) => adapter.hold(bench.ctx, session, record, state));
        expect(hold).toEqual({ kind: "sign_in" });
        const observe = await bench.within((session) => adapter.observe(bench.ctx, session, record, state));
        expect(observe).toEqual({ kind: "sign_in" });
        expect(await bench.readBack(submitted.submission)).toEqual({ kind: "sign_in" });
        expect(shop.control.counters().submits).toBe(1);
      });

      it("reading and identifying say so too", async () => {
        shop.control.endSession();
        expect(await bench.read(ORDERS, { limit: 1 })).toEqual({ kind: "sign_in" });
        const who = await bench.within((session) => bench.entry.identify(bench.ctx, session as never));
        expect(who).toBeUndefined();
      });

      it("between hold and observe, nothing leaves", async () => {
        const { record, state } = await bench.frozen(ORDER, LAMP);
        await bench.within(async (session) => {
          const held = done(await bench.commit(ORDER).hold(bench.ctx, session, record, state));
          shop.control.endSession();
          const step = await bench.commit(ORDER).observe(bench.ctx, session, record, state);
          expect(step).toEqual({ kind: "sign_in" });
          await held.exchange.abandon();
        });
        expect(shop.control.counters().submits).toBe(0);
      });
    });
  });
}

/** As the person would at the shop's own page: another wish of theirs takes the cart's place. */
async function emptyCart(bench: Bench): Promise<void> {
  await bench.prepare(ORDER, { ...LAMP, item_ref: "CK-1" });
}
