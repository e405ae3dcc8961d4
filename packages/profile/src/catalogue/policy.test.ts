import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPERATIONS, withApprovals } from "./catalogue.ts";
import type { Operation } from "./model.ts";
import { APPROVAL_POLICIES, type ApprovalMethod, demandedPolicy, satisfiesPolicy, tightestPolicy } from "./policy.ts";

const METHODS: readonly ApprovalMethod[] = ["session", "authority", "passkey"];
const policies = fc.constantFrom(...APPROVAL_POLICIES);

describe("APR-3 the catalogue's policy", () => {
  const policyOf = (operations: readonly Operation[], id: string) =>
    operations.flatMap((o) => (o.id === id && o.effect === "commit" ? [o.approval] : []));

  it("asks for a passkey before money leaves", () => {
    expect(policyOf(OPERATIONS, "retail.order.submit")).toEqual(["passkey"]);
  });

  it("gives way to the operator's for the operations that they name", () => {
    const named = withApprovals(OPERATIONS, { "retail.order.submit": "session" });
    expect(named.ok && policyOf(named.value, "retail.order.submit")).toEqual(["session"]);
    expect(named.ok && policyOf(named.value, "subscription.cancel")).toEqual(["session"]);
    expect(policyOf(OPERATIONS, "retail.order.submit")).toEqual(["passkey"]);
  });

  it.each(["retail.order.place", "retail.orders.list", "constructor"])("refuses a setting for %s", (operation) => {
    expect(withApprovals(OPERATIONS, { [operation]: "session" })).toEqual({
      ok: false,
      reason: { kind: "no_such_commit", operation },
    });
  });
});

describe("APR-3 the policy in force", () => {
  it.each([
    ["none", ["session", "authority", "passkey"]],
    ["session", ["session", "authority", "passkey"]],
    ["authority", ["authority", "passkey"]],
    ["passkey", ["passkey"]],
  ] as const)("%s is satisfied by %j alone", (policy, enough) => {
    expect(METHODS.filter((method) => satisfiesPolicy(policy, method))).toEqual(enough);
  });

  it("nobody who demands anything can loosen it", () => {
    fc.assert(
      fc.property(policies, fc.array(fc.option(policies, { nil: undefined })), (catalogue, demands) => {
        const inForce = tightestPolicy(catalogue, ...demands);
        for (const method of METHODS.filter((m) => satisfiesPolicy(inForce, m)))
          for (const demand of [catalogue, ...demands.filter((d) => d !== undefined)])
            expect(satisfiesPolicy(demand, method)).toBe(true);
        expect([catalogue, ...demands]).toContain(inForce);
      }),
    );
  });

  it("a tenant or a grant cannot demand that nobody is asked", () => {
    expect(demandedPolicy.safeParse("none").success).toBe(false);
  });
});
