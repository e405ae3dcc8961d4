import { retailOrderSubmit, retailOrdersList } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { checkAmount, checkGrant } from "./check.ts";
import type { ConsentRow } from "./consents.ts";
import { widened } from "./decide.ts";

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

describe("CON-3 amounts", () => {
  const terms = retailOrderSubmit.example.terms ?? {};
  it.each<[string, object, "requested" | "observed", boolean]>([
    ["at the limit", { ...terms, total_minor: 5000 }, "observed", true],
    ["one above it", { ...terms, total_minor: 5001 }, "observed", false],
    ["the same number in another currency", { ...terms, currency: "USD" }, "observed", false],
    ["a request for more", { max_total_minor: 5001, currency: "EUR" }, "requested", false],
    ["a request for as much", { max_total_minor: 5000, currency: "EUR" }, "requested", true],
    ["no amount at all", {}, "observed", false],
  ])("%s", (_name, from, which, fits) => {
    expect(checkAmount(retailOrderSubmit, scope.limits, from as never, which).ok).toBe(fits);
  });
  it("a grant without an amount sets none", () => {
    expect(checkAmount(retailOrderSubmit, {}, terms, "observed").ok).toBe(true);
  });
});

describe("CON-1 the person narrows and never widens", () => {
  it.each<[string, object, string | undefined]>([
    ["as asked", {}, undefined],
    ["a lower amount", { limits: { max_total_minor: 1, currency: "EUR" } }, undefined],
    ["an earlier end", { expires_at: "2026-11-30T23:00:00Z" }, undefined],
    ["another operation", { operations: ["subscription.cancel"] }, "/operations"],
    ["another route", { routes: ["http"] }, "/routes"],
    ["a higher amount", { limits: { max_total_minor: 5001, currency: "EUR" } }, "/limits"],
    ["another currency", { limits: { max_total_minor: 5000, currency: "USD" } }, "/limits"],
    ["no limit where one was asked", { limits: {} }, "/limits"],
    ["a later end", { expires_at: "2026-12-01T00:00:01Z" }, "/expires_at"],
  ])("%s", (_name, change, member) => {
    expect(widened(scope, { ...scope, ...change })).toBe(member);
  });
});
