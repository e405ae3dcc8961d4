import type { ConsentScope } from "@countersign/gateway/trusted-contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grantOf, localField, openDraft } from "./draft.ts";

const NOW = Date.parse("2026-11-30T10:00:00Z");
const ASKED: ConsentScope = {
  operations: ["retail.orders.list", "retail.order.submit"],
  routes: ["browser", "http"],
  limits: { max_total_minor: 6_000, currency: "EUR" },
  expires_at: "2026-12-03T10:00:30Z",
};
const draft = openDraft(ASKED, "acc_1");

describe("CON-1 grantOf", () => {
  it("untouched, is exactly what was asked", () => {
    expect(grantOf(ASKED, draft, NOW)).toEqual({
      decision: { decision: "grant", account_ref: "acc_1", ...ASKED },
      problems: [],
    });
  });

  it("narrows operations, routes, amount and time", () => {
    const until = localField("2026-12-01T10:00:00Z");
    const limits = { ...draft.limits, amount: "45.5" };
    const narrowed = { ...draft, operations: ["retail.orders.list"], routes: ["http"], limits, until };
    expect(grantOf(ASKED, narrowed, NOW).decision).toEqual({
      decision: "grant",
      account_ref: "acc_1",
      operations: ["retail.orders.list"],
      routes: ["http"],
      limits: { max_total_minor: 4_550, currency: "EUR" },
      expires_at: "2026-12-01T10:00:00Z",
    });
  });

  it.each([
    ["account", { accountRef: undefined }],
    ["operations", { operations: [] }],
    ["operations", { operations: ["bank.transfer"] }],
    ["routes", { routes: [] }],
    ["amount", { limits: { ...draft.limits, amount: "60.01" } }],
    ["amount", { limits: { ...draft.limits, amount: "" } }],
    ["amount", { limits: { ...draft.limits, amount: "-1" } }],
    ["amount", { limits: { ...draft.limits, amount: "1,000,000" } }],
    ["amount", { limits: { ...draft.limits, amount: "10.005" } }],
    ["until", { until: "" }],
    ["until", { until: localField("2027-01-01T00:00:00Z") }],
    ["until", { until: localField("2026-11-29T00:00:00Z") }],
  ] as const)("names the field %s of a draft that cannot be granted", (field, change) => {
    const answer = grantOf(ASKED, { ...draft, ...change }, NOW);
    expect(answer.decision).toBeUndefined();
    expect(answer.problems).toEqual([field]);
  });

  it("lets the person set a limit where the agent asked for none", () => {
    const open = { ...ASKED, limits: {} };
    const own = openDraft(open, "acc_1");
    expect(grantOf(open, own, NOW).decision?.limits).toEqual({});
    const typed = (amount: string, currency: string) =>
      grantOf(open, { ...own, limits: { ...own.limits, amount, currency } }, NOW);
    expect(typed("20", "eur").decision?.limits).toEqual({ max_total_minor: 2_000, currency: "EUR" });
    expect(typed("20", "").problems).toEqual(["amount"]);
    expect(typed("20", "XXQ").problems).toEqual(["amount"]);
  });

  it("no draft at all widens what was asked", () => {
    fc.assert(
      fc.property(
        fc.record({
          operations: fc.subarray(["retail.orders.list", "retail.order.submit", "other"]),
          routes: fc.subarray(["browser", "http", "mcp"]),
          amount: fc.oneof(fc.string({ maxLength: 12 }), fc.integer({ min: 0, max: 20_000 }).map(String)),
          until: fc.oneof(
            fc.string({ maxLength: 20 }),
            fc.date({ min: new Date(NOW - 9e8), max: new Date(NOW + 9e8) }).map((d) => {
              return Number.isNaN(d.getTime()) ? "" : localField(d.toISOString());
            }),
          ),
        }),
        ({ amount, ...change }) => {
          const { decision } = grantOf(ASKED, { ...draft, ...change, limits: { ...draft.limits, amount } }, NOW);
          if (decision === undefined) return;
          expect(decision.operations.every((o) => ASKED.operations.includes(o))).toBe(true);
          expect(decision.routes.every((r) => ASKED.routes.includes(r))).toBe(true);
          expect(decision.limits.currency).toBe("EUR");
          expect(decision.limits.max_total_minor).toBeLessThanOrEqual(6_000);
          expect(Date.parse(decision.expires_at)).toBeLessThanOrEqual(Date.parse(ASKED.expires_at));
        },
      ),
    );
  });
});
