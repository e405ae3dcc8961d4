import type { CommitOperation, Operation, Reason } from "@countersign/profile";
import { err, type JsonObject, ok, parseInstant, type Result } from "@countersign/wire";
import { type ConsentRow, readScope } from "./consents.ts";

/** What a live grant allows one operation; the limits go into the action record. */
export interface Allowed {
  readonly routes: readonly string[];
  readonly limits: JsonObject;
  readonly expiresAt: number;
}

/**
 * Is this operation granted, now? Pure; asked at admission, before work, and again inside the boundary transaction
 * (CON-1, CON-2, CON-3). The row must have been read in the transaction that acts on the answer.
 */
export function checkGrant(
  consent: ConsentRow | undefined,
  use: { readonly accountRef: string; readonly operation: Operation },
  now: number,
): Result<Allowed, Reason> {
  if (consent === undefined) return err("grant_not_active");
  if (consent.state === "revoked") return err("grant_revoked");
  if (consent.state !== "granted" || consent.granted === null) return err("grant_not_active");
  // A grant of one account never serves another.
  if (consent.account_ref !== use.accountRef) return err("grant_not_active");
  const scope = readScope(consent.granted);
  const expiresAt = parseInstant(scope.expires_at);
  if (!expiresAt.ok || now >= expiresAt.value) return err("grant_expired");
  if (!scope.operations.includes(use.operation.id)) return err("operation_not_granted");
  return ok({ routes: scope.routes, limits: definedLimits(scope.limits), expiresAt: expiresAt.value });
}

/** The grant's own amount limit against an amount in the request or the observed terms. */
export function checkAmount(
  operation: CommitOperation,
  limits: JsonObject,
  from: JsonObject,
  which: "requested" | "observed",
): Result<undefined, Reason> {
  const { ceiling } = operation;
  const limit = limits["max_total_minor"];
  if (ceiling === undefined || typeof limit !== "number") return ok(undefined);
  const amount = from[which === "requested" ? ceiling.limitMember : ceiling.totalMember];
  const currency = from[which === "requested" ? ceiling.limitCurrencyMember : ceiling.currencyMember];
  if (typeof amount !== "number" || currency !== limits["currency"]) return err("over_limit");
  return amount <= limit ? ok(undefined) : err("over_limit");
}

function definedLimits(limits: {
  readonly max_total_minor?: number | undefined;
  readonly currency?: string | undefined;
}): JsonObject {
  return {
    ...(limits.max_total_minor === undefined ? {} : { max_total_minor: limits.max_total_minor }),
    ...(limits.currency === undefined ? {} : { currency: limits.currency }),
  };
}
