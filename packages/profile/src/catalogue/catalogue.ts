import { err, ok, type Result } from "@countersign/wire";
import { ALL } from "./all.ts";
import type { Catalogue, Operation } from "./model.ts";
import type { DemandedPolicy } from "./policy.ts";

/** Every operation that ships with the profile. */
export const OPERATIONS: readonly Operation[] = ALL;

export function buildCatalogue(operations: readonly Operation[]): Catalogue {
  const catalogue = new Map<string, Operation>();
  for (const operation of operations) {
    if (catalogue.has(operation.id)) throw new Error(`operation ${operation.id} is defined twice`);
    catalogue.set(operation.id, operation);
  }
  return catalogue;
}

/**
 * The operations as one gateway runs them: where its operator says who has to decide, that takes the place of the
 * catalogue's policy. Tenants and grants tighten it from there (APR-3). Every commit named must exist.
 */
export function withApprovals(
  operations: readonly Operation[],
  approvals: Readonly<Record<string, DemandedPolicy>>,
): Result<readonly Operation[], { readonly kind: "no_such_commit"; readonly operation: string }> {
  const commits = new Set(operations.flatMap(({ id, effect }) => (effect === "commit" ? [id] : [])));
  const astray = Object.keys(approvals).find((id) => !commits.has(id));
  if (astray !== undefined) return err({ kind: "no_such_commit", operation: astray });
  const demanded = new Map(Object.entries(approvals));
  return ok(
    operations.map((operation) =>
      operation.effect === "commit"
        ? { ...operation, approval: demanded.get(operation.id) ?? operation.approval }
        : operation,
    ),
  );
}
