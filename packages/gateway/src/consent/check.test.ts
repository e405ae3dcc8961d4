import { type Act, retailOrderSubmit, retailOrdersList } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { checkGrant, checkHours, checkLimits, type Used } from "./check.ts";
import type { ConsentRow } from "./consents.ts";
import { type ConsentLimits, consentLimits } from "./limits.ts";

const NOW = Date.UTC(2026, 10, 30, 10);
const scope = {
  operations: ["retail.order.submit"],
  routes: ["browser"],
  limits: { max_total_minor: 5000, currency: "EUR" },
  expires_at: "2026-12-01T00:00:00Z",
};
const granted: ConsentRow = {
  consent_ref: "cons_1",
  tenant_id: "ten",
  person_id: "usr",
  client_id: "agent",
  destination: "shop",
  account_ref: "acct_1",
  state: "granted",
  asked: JSON.stringify(scope),
  granted: JSON.stringify(scope),
  purpose: "x",
  requested_at: NOW,
  decided_at: NOW,
  revoked_at: null,
  expires_at: NOW,
};
const use = { accountRef: "acct_1", operation: retailOrderSubmit };

describe("CON-1 CON-2 a grant covers what it says, and nothing beside it", () => {
  it("covers its own operation, account and time", () => {
    expect(checkGrant(granted, use, NOW)).toMatchObject({
      ok: true,
      value: { routes: ["browser"], limits: scope.limits },
    });
  });
  it.each<[string, Parameters<typeof checkGrant>, string]>([
    ["no grant", [undefined, use, NOW], "grant_not_active"],
    ["one that was only asked for", [{ ...granted, state: "requested", granted: null }, use, NOW], "grant_not_active"],
    ["a refused one", [{ ...granted, state: "refused", granted: null }, use, NOW], "grant_not_active"],
    ["a revoked one", [{ ...granted, state: "revoked" }, use, NOW], "grant_revoked"],
    ["one of another account", [granted, { ...use, accountRef: "acct_2" }, NOW], "grant_not_active"],
    [
      "another operation: a write is no read",
      [granted, { ...use, operation: retailOrdersList }, NOW],
      "operation_not_granted",
    ],
    ["the instant of its end", [granted, use, Date.UTC(2026, 11, 1)], "grant_expired"],
  ])("%s", (_name, input, reason) => {
    expect(checkGrant(...input)).toEqual({ ok: false, reason });
  });
});

const told = <T>(value: T) => ({ kind: "told", value }) as const;
const order: Act = {
  amount: told({ minor: 4990, currency: "EUR" }),
  payee: told("shop.example"),
  items: told(["TL-200"]),
};
const none = { actions: 0, minor: 0 };
const day = (limit: object, used: Used["day"] = none): [ConsentLimits, Used] => [
  consentLimits.parse({ periods: { day: limit } }),
  { day: used },
];

describe("CON-3 limits against an act", () => {
  it.each<[string, ConsentLimits, Partial<Act>, string | undefined]>([
    ["a grant without limits sets none", {}, {}, undefined],
    ["an amount at the limit", { max_total_minor: 4990, currency: "EUR" }, {}, undefined],
    ["an amount one above it", { max_total_minor: 4989, currency: "EUR" }, {}, "over_limit"],
    ["the same number in another currency", { max_total_minor: 4990, currency: "USD" }, {}, "over_limit"],
    [
      "an amount that cannot be read",
      { max_total_minor: 4990, currency: "EUR" },
      { amount: { kind: "unreadable" } },
      "over_limit",
    ],
    ["an act without money", { max_total_minor: 1, currency: "EUR" }, { amount: { kind: "none" } }, undefined],
    ["an amount that is told later", { max_total_minor: 1, currency: "EUR" }, { amount: { kind: "later" } }, undefined],
    ["a listed payee", { payees: ["other.example", "shop.example"] }, {}, undefined],
    ["another payee", { payees: ["other.example"] }, {}, "payee_not_granted"],
    ["a payee in other letters", { payees: ["Shop.example"] }, {}, "payee_not_granted"],
    ["a payee that is told later", { payees: ["other.example"] }, { payee: { kind: "later" } }, undefined],
    ["no payee that one could judge", { payees: ["a"] }, { payee: { kind: "unreadable" } }, "payee_not_granted"],
    ["an operation without payees", { payees: ["a"] }, { payee: { kind: "none" } }, undefined],
    ["a listed item", { items: ["TL-200"] }, {}, undefined],
    ["another item", { items: ["TL-300"] }, {}, "item_not_granted"],
    ["one item too many", { items: ["TL-200"] }, { items: told(["TL-200", "TL-300"]) }, "item_not_granted"],
    ["no item that one could judge", { items: ["TL-200"] }, { items: { kind: "unreadable" } }, "item_not_granted"],
  ])("%s", (_name, limits, change, reason) => {
    const answer = checkLimits(limits, { ...order, ...change }, {});
    expect(answer.ok ? undefined : answer.reason).toBe(reason);
  });

  it.each<[string, [ConsentLimits, Used], string | undefined]>([
    [
      "room for it to the last unit",
      day({ max_total_minor: 10_000, currency: "EUR" }, { actions: 1, minor: 5010 }),
      undefined,
    ],
    [
      "one unit too little room",
      day({ max_total_minor: 10_000, currency: "EUR" }, { actions: 1, minor: 5011 }),
      "limit_reached",
    ],
    ["more than the period ever allows", day({ max_total_minor: 4989, currency: "EUR" }), "over_limit"],
    ["another currency than the period's", day({ max_total_minor: 10_000, currency: "USD" }), "over_limit"],
    ["one action left", day({ max_actions: 2 }, { actions: 1, minor: 0 }), undefined],
    ["no action left", day({ max_actions: 2 }, { actions: 2, minor: 0 }), "limit_reached"],
  ])("a period with %s", (_name, [limits, used], reason) => {
    const answer = checkLimits(limits, order, used);
    expect(answer.ok ? undefined : answer.reason).toBe(reason);
  });

  it("every limited period is held, not only the first", () => {
    const limits = consentLimits.parse({ periods: { day: { max_actions: 9 }, total: { max_actions: 3 } } });
    expect(checkLimits(limits, order, { day: none, total: { actions: 3, minor: 0 } })).toMatchObject({ ok: false });
    expect(() => checkLimits(limits, order, { day: none })).toThrow();
  });

  it("hours hold for reads and commits alike", () => {
    const limits = consentLimits.parse({ hours: { zone: "Europe/Berlin", from: "08:00", to: "18:00" } });
    expect(checkHours(limits, Date.UTC(2026, 10, 30, 7, 0))).toEqual({ ok: true, value: undefined });
    expect(checkHours(limits, Date.UTC(2026, 10, 30, 6, 59))).toEqual({ ok: false, reason: "outside_hours" });
    expect(checkHours({}, 0)).toEqual({ ok: true, value: undefined });
  });
});
