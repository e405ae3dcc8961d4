import type { ActionRecord } from "@countersign/profile";
import { formatInstant, instant } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { findOrder, fingerprintOf, readFingerprint } from "./fingerprint.ts";
import { CLOCK_SKEW_MS, KNOWN_ORDERS_MAX } from "./limits.ts";
import type { ShopOrder } from "./order.ts";

const SUBMITTED_MS = Date.parse("2026-11-30T12:00:00Z");
const SUBMITTED_AT = formatInstant(instant(SUBMITTED_MS));
const LAMP = { sku: "TL-200", title: "Trail Lamp 200", quantity: 1, unitMinor: 4490 };
const PRINT = { knownOrders: ["HH-1"], sku: "TL-200", quantity: 1, totalMinor: 4990, currency: "EUR" };
const record = {
  parameters: { item_ref: "TL-200", quantity: 1, fulfillment_ref: "det_1" },
  terms: { total_minor: 4990, currency: "EUR" },
} as unknown as ActionRecord;

const order = (change: Partial<ShopOrder> = {}): ShopOrder => ({
  number: "HH-2",
  placedAt: new Date(SUBMITTED_MS + 1_000).toISOString(),
  status: "confirmed",
  currency: "EUR",
  totalMinor: 4990,
  lines: [LAMP],
  ...change,
});
const find = (...orders: readonly ShopOrder[]) => findOrder(orders, PRINT, SUBMITTED_AT);

describe("STA-3 (U04) the order of a submission", () => {
  it("is the one new order of the same item and quantity", () => {
    expect(find(order(), order({ number: "HH-1" }))).toMatchObject({ kind: "found", confirmation: "HH-2" });
  });

  it("decisions 10 is found whatever was charged, and the amount is told", () => {
    expect(find(order({ totalMinor: 5290 }))).toMatchObject({
      kind: "found",
      observed: { total_minor: 5290, currency: "EUR" },
    });
  });

  it("is not guessed between two, even when one has the approved total", () => {
    expect(find(order(), order({ number: "HH-3", totalMinor: 5480 }))).toMatchObject({ kind: "unclear" });
  });

  it.each<[string, Partial<ShopOrder>]>([
    ["known from before", { number: "HH-1" }],
    ["older than the clocks may differ", { placedAt: new Date(SUBMITTED_MS - CLOCK_SKEW_MS - 1).toISOString() }],
    ["of another item", { lines: [{ ...LAMP, sku: "CK-1" }] }],
  ])("is none that is %s", (_, change) => {
    expect(find(order(change))).toEqual({ kind: "none" });
  });

  it.each<[string, Partial<ShopOrder>]>([
    ["in another quantity", { lines: [{ ...LAMP, quantity: 2 }] }],
    ["among others", { lines: [LAMP, { ...LAMP, sku: "CK-1" }] }],
  ])("with a new order of the item %s nothing is certain", (_, change) => {
    expect(find(order(change))).toMatchObject({ kind: "unclear" });
  });

  it("a shop whose clock is behind still shows it", () => {
    expect(find(order({ placedAt: new Date(SUBMITTED_MS - CLOCK_SKEW_MS).toISOString() }))).toMatchObject({
      kind: "found",
    });
  });
});

describe("the fingerprint", () => {
  it("comes back as it was saved", () => {
    const saved = fingerprintOf(record, [order({ number: "HH-1" })], "q_1");
    expect(readFingerprint(saved)).toEqual({ ok: true, value: { ...PRINT, quoteId: "q_1" } });
  });

  it("stays small with a long history", () => {
    const many = Array.from({ length: KNOWN_ORDERS_MAX + 50 }, (_, i) => order({ number: `HH-${9_000 - i}` }));
    const read = readFingerprint(fingerprintOf(record, many));
    expect(read.ok && read.value.knownOrders.length).toBe(KNOWN_ORDERS_MAX);
    expect(read.ok && read.value.knownOrders[0]).toBe("HH-9000");
  });

  it.each([
    { v: 2 },
    { known_orders: [1] },
    { known_orders: "HH-1" },
    { sku: 1 },
    { quantity: "1" },
    { currency: 978 },
  ])("decisions 12 is refused when unreadable: %o", (change) => {
    expect(readFingerprint({ ...fingerprintOf(record, []), ...change })).toEqual({ ok: false, reason: "unreadable" });
  });
});
