import { describe, expect, it } from "vitest";
import { cancelPageOf, type OrderLook, standingOf } from "./order-cancel-page.ts";

const fact = (term: string, text: string) => ({ term, text, time: "" });
const last: OrderLook = {
  heading: "Cancel order HH-1",
  facts: [
    fact("You paid", "€41.75"),
    fact("We keep", "€1.50"),
    fact("You get back", "€40.25"),
    fact("Paid back to", "Card ending 4242"),
    fact("Request number", "RQ-0286F1E60B"),
  ],
  head: ["Item", "SKU", "Quantity"],
  rows: [["Camp Kettle", "CK-1", "1"]],
  note: "The refund reaches your card within five working days.",
};
const order: OrderLook = { ...last, heading: "Order HH-1", facts: [fact("Status", "Confirmed")] };
const cancelled: OrderLook = {
  ...order,
  facts: [
    fact("Status", "Cancelled"),
    fact("Paid back", "€40.25"),
    fact("Kept", "€1.50"),
    fact("Cancellation", "CN-1"),
    fact("Request number", "RQ-0286F1E60B"),
  ],
};

describe("the page with the button that cancels", () => {
  it("is read to the cent", () => {
    expect(cancelPageOf(last, "HH-1")).toMatchObject({
      ok: true,
      value: { paidMinor: 4_175, keptMinor: 150, refundMinor: 4_025, request: "RQ-0286F1E60B" },
    });
  });

  it.each(["No such order", "This order is on its way", "This order is already cancelled"])(
    "%s is a gap",
    (heading) => {
      expect(cancelPageOf({ ...last, heading }, "HH-1")).toMatchObject({ ok: false, reason: { kind: "gap" } });
    },
  );

  it.each<[string, Partial<OrderLook>]>([
    ["of another order", { heading: "Cancel order HH-2" }],
    ["with other columns", { head: ["Item", "Quantity", "SKU"] }],
    ["without its items", { rows: [] }],
    ["with a row that is cut", { rows: [["Camp Kettle", "CK-1"]] }],
    ["in two currencies", { facts: last.facts.map((f) => (f.term === "We keep" ? fact("We keep", "£1.50") : f)) }],
    ["with an amount twice", { facts: [...last.facts, fact("We keep", "€0.00")] }],
    ["without what the shop says", { note: "" }],
  ])("%s is trouble and no terms", (_what, change) => {
    expect(() => cancelPageOf({ ...last, ...change }, "HH-1")).toThrow();
  });
});

describe("STA-3 an order afterwards", () => {
  it("stands, or was called off under a request's number", () => {
    expect(standingOf(order, "HH-1")).toEqual({ ok: true, value: "stands" });
    expect(standingOf(cancelled, "HH-1")).toMatchObject({ value: { reference: "CN-1", requested: "RQ-0286F1E60B" } });
  });

  it("called off without a number has none", () => {
    const own = { ...cancelled, facts: cancelled.facts.slice(0, -1) };
    expect(standingOf(own, "HH-1")).toMatchObject({
      ok: true,
      value: expect.not.objectContaining({ requested: expect.anything() }),
    });
  });

  it("of another number is trouble", () => {
    expect(() => standingOf(cancelled, "HH-2")).toThrow();
  });
});
