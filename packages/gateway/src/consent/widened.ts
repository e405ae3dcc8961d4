import { type DemandedPolicy, tightestPolicy } from "@countersign/profile";
import { parseInstant } from "@countersign/wire";
import type { ConsentScope } from "./consents.ts";
import { hoursWithin } from "./hours.ts";
import { type ConsentLimits, PERIODS, type PeriodLimit } from "./limits.ts";

/**
 * The first member in which `chosen` goes beyond `asked`, as a pointer; undefined when it allows nothing that `asked`
 * did not (CON-1). Judged member by member, so that each can be read on its own: a limit that was there must stay, and
 * must not be looser, whatever the others say.
 */
export function widened(asked: ConsentScope, chosen: ConsentScope): string | undefined {
  if (!within(chosen.operations, asked.operations)) return "/operations";
  if (!within(chosen.routes, asked.routes)) return "/routes";
  const limit = widenedLimit(asked.limits, chosen.limits);
  if (limit !== undefined) return `/limits${limit}`;
  // Whoever had to decide still has to, or somebody stricter (APR-3).
  if (asked.approval !== undefined && (chosen.approval === undefined || looser(chosen.approval, asked.approval)))
    return "/approval";
  const askedUntil = parseInstant(asked.expires_at);
  const until = parseInstant(chosen.expires_at);
  return askedUntil.ok && until.ok && until.value <= askedUntil.value ? undefined : "/expires_at";
}

function widenedLimit(asked: ConsentLimits, chosen: ConsentLimits): string | undefined {
  if (!amountWithin(asked, chosen)) return "/max_total_minor";
  for (const name of PERIODS) {
    const limit = asked.periods?.[name];
    if (limit === undefined) continue;
    const own = chosen.periods?.[name];
    if (own === undefined) return `/periods/${name}`;
    if (!amountWithin(limit, own)) return `/periods/${name}/max_total_minor`;
    if (limit.max_actions !== undefined && (own.max_actions ?? Number.POSITIVE_INFINITY) > limit.max_actions)
      return `/periods/${name}/max_actions`;
  }
  if (asked.payees !== undefined && !(chosen.payees !== undefined && within(chosen.payees, asked.payees)))
    return "/payees";
  if (asked.items !== undefined && !(chosen.items !== undefined && within(chosen.items, asked.items))) return "/items";
  if (asked.hours !== undefined && !(chosen.hours !== undefined && hoursWithin(chosen.hours, asked.hours)))
    return "/hours";
  return undefined;
}

function looser(chosen: DemandedPolicy, asked: DemandedPolicy): boolean {
  return tightestPolicy(chosen, asked) !== chosen;
}

function amountWithin(
  asked: Pick<PeriodLimit, "max_total_minor" | "currency">,
  chosen: Pick<PeriodLimit, "max_total_minor" | "currency">,
): boolean {
  if (asked.max_total_minor === undefined) return true;
  return (
    chosen.max_total_minor !== undefined &&
    chosen.max_total_minor <= asked.max_total_minor &&
    chosen.currency === asked.currency
  );
}

function within(chosen: readonly string[], asked: readonly string[]): boolean {
  return chosen.every((one) => asked.includes(one));
}
