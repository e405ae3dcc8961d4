import type { ReadAdapter } from "@countersign/plugin";
import type { JsonObject } from "@countersign/plugin/site";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import { claimsResult } from "../shared/claim.ts";
import { type PolicyShown, policiesResult } from "../shared/policy.ts";
import { claimsShape, policiesShape } from "./shapes.ts";

type Reading = ReadAdapter<JsonObject, JsonObject, HttpSession>;

export const coverageList: Reading = {
  effect: "read",
  operation: "insurance.coverage.list",
  async read(_ctx, session, params) {
    const policies = bodyOf(await session.fetch("/api/policies"), 200, policiesShape);
    if (!policies.ok) return policies.reason;
    const shown = policies.value.map(
      (policy): PolicyShown => ({
        id: policy.id,
        number: policy.number,
        name: policy.name,
        kind: policy.type,
        insured: policy.insured,
        startsOn: policy.cover_from,
        endsOn: policy.cover_to,
        currency: policy.currency,
        premiumMinor: policy.premiumMinor,
        premiumPer: policy.premiumPer,
        excessMinor: policy.excessMinor,
        covers: policy.covers,
      }),
    );
    return policiesResult(shown, params);
  },
};

export const claimsList: Reading = {
  effect: "read",
  operation: "insurance.claims.list",
  async read(_ctx, session, params) {
    const claims = bodyOf(await session.fetch("/api/claims"), 200, claimsShape);
    if (!claims.ok) return claims.reason;
    return { kind: "done", result: claimsResult(claims.value, params) };
  },
};
