import {
  type ActionRecord,
  type ApprovalMethod,
  type ApprovalPolicy,
  type CommitOperation,
  type DemandedPolicy,
  type Reason,
  recordedPolicy,
  satisfiesPolicy,
  tightestPolicy,
} from "@countersign/profile";
import { type ConsentRow, readScope } from "../consent/consents.ts";
import type { Core } from "../core.ts";
import type { Db, Tx } from "../store/store.ts";

/**
 * The policy in force: the tightest of the catalogue's, the tenant's and the grant's (APR-3). No request has a member
 * for it, so an agent has no say. Read in the transaction that acts on it: whoever tightens it meanwhile is heard.
 */
export async function policyInForce(
  db: Db,
  tenantId: string,
  operation: CommitOperation,
  consent: Pick<ConsentRow, "granted"> | undefined,
): Promise<ApprovalPolicy> {
  const granted = consent === undefined || consent.granted === null ? undefined : readScope(consent.granted).approval;
  return tightestPolicy(operation.approval, await tenantPolicy(db, tenantId, operation.id), granted);
}

/**
 * What a decision on a frozen record has to satisfy: the policy in force and the one that stands in the record. A demand
 * that was taken back meanwhile still holds for what was frozen under it, for the evidence is judged by the record.
 */
export function policyToSatisfy(inForce: ApprovalPolicy, record: Pick<ActionRecord, "limits">): ApprovalPolicy {
  return tightestPolicy(inForce, recordedPolicy(record.limits));
}

export async function tenantPolicy(db: Db, tenantId: string, operation: string): Promise<DemandedPolicy | undefined> {
  const row = await db
    .selectFrom("approval_policy")
    .select("policy")
    .where("tenant_id", "=", tenantId)
    .where("operation", "=", operation)
    .executeTakeFirst();
  return row?.policy;
}

/** Every demand of a tenant, by operation. */
export async function tenantPolicies(db: Db, tenantId: string): Promise<ReadonlyMap<string, DemandedPolicy>> {
  const rows = await db.selectFrom("approval_policy").selectAll().where("tenant_id", "=", tenantId).execute();
  return new Map(rows.map((row) => [row.operation, row.policy]));
}

/** Sets what a tenant demands of an operation; undefined takes the demand back, and the catalogue's stands alone. */
export async function setTenantPolicy(
  core: Core,
  tx: Tx,
  tenantId: string,
  operation: string,
  policy: DemandedPolicy | undefined,
): Promise<void> {
  const demand = tx.deleteFrom("approval_policy").where("tenant_id", "=", tenantId).where("operation", "=", operation);
  await demand.execute();
  if (policy === undefined) return;
  await tx
    .insertInto("approval_policy")
    .values({ tenant_id: tenantId, operation, policy, set_at: core.now() })
    .execute();
}

/** Why an approval made by `method` is not enough; undefined when it is. */
export function shortOf(policy: ApprovalPolicy, method: ApprovalMethod): Reason | undefined {
  if (satisfiesPolicy(policy, method)) return undefined;
  return policy === "authority" ? "authority_required" : "passkey_required";
}
