import type { Act, Operation, Reason, Told } from "@countersign/profile";
import { assert, err, ok, parseInstant, type Result } from "@countersign/wire";
import { type ConsentRow, readScope } from "./consents.ts";
import { withinHours } from "./hours.ts";
import { type ConsentLimits, type PeriodLimit, type PeriodName, periodsOf } from "./limits.ts";

/** What a live grant allows one operation; the limits go into the action record. */
export interface Allowed {
  readonly routes: readonly string[];
  readonly limits: ConsentLimits;
  readonly expiresAt: number;
}

/** What the uses of a grant in one period come to; `minor` counts those in the limit's currency. */
export interface UsedInPeriod {
  readonly actions: number;
  readonly minor: number;
}
/** One entry for every period that the grant limits. */
export type Used = Readonly<Partial<Record<PeriodName, UsedInPeriod>>>;

/**
 * Is this operation granted, now? Pure; asked at admission, before work, and again inside the boundary transaction
 * (CON-1, CON-2). The row must have been read in the transaction that acts on the answer.
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
  return ok({ routes: scope.routes, limits: scope.limits, expiresAt: expiresAt.value });
}

/** The hours in which a grant may be used, for reads and commits alike. */
export function checkHours(limits: ConsentLimits, now: number): Result<undefined, Reason> {
  return limits.hours === undefined || withinHours(limits.hours, now) ? ok(undefined) : err("outside_hours");
}

/**
 * The grant's limits against an act, as far as the act is known (CON-3): of a request what it says, of observed terms
 * everything. What cannot be read never passes a limit on it. Pure; `used` must have been read in the transaction that
 * writes the use, which is what concurrency cannot beat.
 */
export function checkLimits(limits: ConsentLimits, act: Act, used: Used): Result<undefined, Reason> {
  if (limits.max_total_minor !== undefined && !amountFits(act.amount, limits.max_total_minor, limits.currency))
    return err("over_limit");
  if (limits.payees !== undefined && !allListed(limits.payees, act.payee, (payee) => [payee]))
    return err("payee_not_granted");
  if (limits.items !== undefined && !allListed(limits.items, act.items, (items) => items))
    return err("item_not_granted");
  for (const [name, limit] of periodsOf(limits)) {
    const sofar = used[name];
    assert(sofar !== undefined, "the uses of every limited period are read");
    const problem = periodProblem(limit, act.amount, sofar);
    if (problem !== undefined) return err(problem);
  }
  return ok(undefined);
}

function periodProblem(limit: PeriodLimit, amount: Act["amount"], used: UsedInPeriod): Reason | undefined {
  if (limit.max_actions !== undefined && used.actions >= limit.max_actions) return "limit_reached";
  if (limit.max_total_minor === undefined) return undefined;
  // An amount that no later use could make fit is above the limit; one that earlier uses left no room for has reached it.
  if (!amountFits(amount, limit.max_total_minor, limit.currency)) return "over_limit";
  const room = limit.max_total_minor - used.minor;
  return amountFits(amount, room, limit.currency) ? undefined : "limit_reached";
}

function amountFits(amount: Act["amount"], most: number, currency: string | undefined): boolean {
  switch (amount.kind) {
    case "none":
    case "later":
      return true;
    case "unreadable":
      return false;
    case "told":
      return amount.value.currency === currency && amount.value.minor <= most;
  }
}

function allListed<T>(listed: readonly string[], told: Told<T>, names: (value: T) => readonly string[]): boolean {
  switch (told.kind) {
    case "none":
    case "later":
      return true;
    case "unreadable":
      return false;
    case "told":
      return names(told.value).every((name) => listed.includes(name));
  }
}
