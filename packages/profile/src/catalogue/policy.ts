import { assert, type JsonObject } from "@countersign/wire";
import { z } from "zod";

/**
 * Who has to decide before a commit (APR-3). The policies are a chain; each one refuses what the one before it refuses,
 * and more:
 *
 * | policy | satisfied by |
 * |---|---|
 * | `none` | nothing has to be decided |
 * | `session` | the account holder in their own session; an authority that they enrolled for the operation; a passkey |
 * | `authority` | an authority that they enrolled for the operation; a passkey. A session alone is not enough |
 * | `passkey` | the account holder's passkey, with the person verified. No authority stands in for it |
 *
 * An authority is another channel, never a looser one: it counts only where the account holder enrolled it themselves,
 * for operations that they named. A refusal needs no policy: whoever may see a record may always refuse it.
 */
export const APPROVAL_POLICIES = ["none", "session", "authority", "passkey"] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

export const approvalPolicy = z.enum(APPROVAL_POLICIES);

/** What a tenant or a grant may demand: it tightens, so "nobody is asked" is not among them. */
export const demandedPolicy = z.enum(["session", "authority", "passkey"]);
export type DemandedPolicy = z.infer<typeof demandedPolicy>;

/** How a decision was made. `session` and `passkey` are the account holder, `authority` speaks for them. */
export type ApprovalMethod = "session" | "authority" | "passkey";

/** The tightest of what the catalogue, the tenant and the grant say; what is absent demands nothing. */
export function tightestPolicy(...demands: readonly (ApprovalPolicy | undefined)[]): ApprovalPolicy {
  const known = demands.filter((demand) => demand !== undefined);
  assert(known.length > 0, "the catalogue has a policy for every commit");
  return known.reduce((tightest, demand) => (rank(demand) > rank(tightest) ? demand : tightest));
}

/** Whether an approval that was made by `method` is enough under `policy`. */
export function satisfiesPolicy(policy: ApprovalPolicy, method: ApprovalMethod): boolean {
  return rank(method) >= rank(policy);
}

/** The policy that an action record says was in force when it was frozen; undefined where it says none (APR-2). */
export function recordedPolicy(limits: JsonObject): ApprovalPolicy | undefined {
  const parsed = approvalPolicy.safeParse(Object.hasOwn(limits, "approval") ? limits["approval"] : undefined);
  return parsed.success ? parsed.data : undefined;
}

function rank(policy: ApprovalPolicy): number {
  return APPROVAL_POLICIES.indexOf(policy);
}
