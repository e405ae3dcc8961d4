import type { Db } from "../store/store.ts";
import type { Used, UsedInPeriod } from "./check.ts";
import { type ConsentLimits, type PeriodLimit, type PeriodName, periodsOf } from "./limits.ts";

/** What was committed under a grant (CON-4). */
export interface Usage {
  /** Commits that happened or may have. */
  readonly actions: number;
  /** Of them, those whose outcome is not known yet: they count, until they certainly did not happen. */
  readonly uncertain: number;
  /** What they come to, by currency, in minor units: as charged, or as approved while the outcome is not known. */
  readonly sums: readonly { readonly currency: string; readonly totalMinor: number }[];
  /** When the grant was last called upon, by a read or a commit. */
  readonly lastUsedAt?: number;
}

export async function usageOf(db: Db, consentRef: string): Promise<Usage> {
  const rows = await db
    .selectFrom("grant_use")
    .select(({ fn }) => [
      "state",
      "currency",
      fn.countAll<number>().as("actions"),
      fn.sum<number | null>("amount_minor").as("minor"),
    ])
    .where("consent_ref", "=", consentRef)
    .where("state", "<>", "released")
    .groupBy(["state", "currency"])
    .execute();
  const { last } = await db
    .selectFrom("task")
    .select(({ fn }) => fn.max("created_at").as("last"))
    .where("consent_ref", "=", consentRef)
    .executeTakeFirstOrThrow();
  const sums = new Map<string, number>();
  let actions = 0;
  let uncertain = 0;
  for (const row of rows) {
    actions += Number(row.actions);
    if (row.state === "reserved") uncertain += Number(row.actions);
    if (row.currency !== null) sums.set(row.currency, (sums.get(row.currency) ?? 0) + Number(row.minor ?? 0));
  }
  return {
    actions,
    uncertain,
    sums: [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, totalMinor]) => ({ currency, totalMinor })),
    ...(last === null ? {} : { lastUsedAt: Number(last) }),
  };
}

/** What one limited period still allows, never below nothing; a member for each limit that the period has. */
export interface LeftInPeriod {
  readonly total_minor?: number;
  readonly currency?: string;
  readonly actions?: number;
}
export type Left = Readonly<Partial<Record<PeriodName, LeftInPeriod>>>;

export function leftOf(limits: ConsentLimits, used: Used): Left {
  return Object.fromEntries(
    periodsOf(limits).map(([name, limit]) => [name, leftIn(limit, used[name] ?? { actions: 0, minor: 0 })]),
  );
}

function leftIn(limit: PeriodLimit, used: UsedInPeriod): LeftInPeriod {
  return {
    ...(limit.max_total_minor === undefined || limit.currency === undefined
      ? {}
      : { total_minor: Math.max(0, limit.max_total_minor - used.minor), currency: limit.currency }),
    ...(limit.max_actions === undefined ? {} : { actions: Math.max(0, limit.max_actions - used.actions) }),
  };
}

/** The latest tasks under a grant, each with what it used of it; newest first. */
export async function tasksUnder(db: Db, consentRef: string, limit: number) {
  return db
    .selectFrom("task")
    .leftJoin("grant_use", "grant_use.task_id", "task.task_id")
    .select([
      "task.task_id",
      "task.operation",
      "task.state",
      "task.reason",
      "task.created_at",
      "grant_use.state as use_state",
      "grant_use.amount_minor",
      "grant_use.currency",
    ])
    .where("task.consent_ref", "=", consentRef)
    .orderBy("task.created_at", "desc")
    .orderBy("task.task_id", "desc")
    .limit(limit)
    .execute();
}
