import { type DemandedPolicy, tightestPolicy } from "@countersign/profile";
import { err, ok, type Result } from "@countersign/wire";
import { setTenantPolicy, tenantPolicies } from "../approval/policy.ts";
import type { Core, Owner } from "../core.ts";

/** The operator says who has to decide in a tenant; undefined takes the demand back. Answers the policy now in force. */
export async function demandPolicy(
  core: Core,
  owner: Owner,
  operation: string,
  policy: DemandedPolicy | undefined,
): Promise<Result<object, "no_such_operation">> {
  const known = core.catalogue.get(operation);
  if (known?.effect !== "commit") return err("no_such_operation");
  await core.store.transaction((tx) => setTenantPolicy(core, tx, owner.tenantId, operation, policy));
  core.log.info("policy.set", { operation, policy: policy ?? "catalogue" });
  return ok({ operation, policy: tightestPolicy(known.approval, policy) });
}

/** Every operation that commits, with the policy in force in this tenant; a grant may tighten it further. */
export async function listPolicies(core: Core, owner: Owner): Promise<object> {
  const demanded = await tenantPolicies(core.store.db, owner.tenantId);
  const operations = [...core.catalogue.values()].flatMap((o) =>
    o.effect === "commit" ? [{ operation: o.id, policy: tightestPolicy(o.approval, demanded.get(o.id)) }] : [],
  );
  return { operations };
}
