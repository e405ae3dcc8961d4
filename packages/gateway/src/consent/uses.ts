import type { Act, CommitOperation } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import type { Used, UsedInPeriod } from "./check.ts";
import { type ConsentRow, readScope } from "./consents.ts";
import { type ConsentLimits, PERIOD_MS, type PeriodName, periodsOf } from "./limits.ts";

export type GrantUseRow = Selectable<Schema["grant_use"]>;

/**
 * What the uses of a grant come to in each period that it limits. One that may have happened counts like one that did;
 * only one that certainly did not is left out. A use dated after `now` (another process's clock) counts in every period.
 */
export async function usedNow(db: Db, consentRef: string, limits: ConsentLimits, now: number): Promise<Used> {
  const used: Partial<Record<PeriodName, UsedInPeriod>> = {};
  for (const [name, limit] of periodsOf(limits))
    used[name] = await usedSince(db, consentRef, now - PERIOD_MS[name], limit.currency);
  return used;
}

/** The same for the limits that the grant itself has as it was read. */
export async function usedOf(
  db: Db,
  consent: Pick<ConsentRow, "consent_ref" | "granted"> | undefined,
  now: number,
): Promise<Used> {
  if (consent === undefined || consent.granted === null) return {};
  return usedNow(db, consent.consent_ref, readScope(consent.granted).limits, now);
}

async function usedSince(db: Db, consentRef: string, after: number, currency: string | undefined) {
  const counted = (query = db.selectFrom("grant_use")) => {
    const live = query.where("consent_ref", "=", consentRef).where("state", "<>", "released");
    return Number.isFinite(after) ? live.where("at", ">", after) : live;
  };
  const { actions } = await counted()
    .select(({ fn }) => fn.countAll<number>().as("actions"))
    .executeTakeFirstOrThrow();
  if (currency === undefined) return { actions: Number(actions), minor: 0 };
  const { minor } = await counted()
    .where("currency", "=", currency)
    .select(({ fn }) => fn.sum<number | null>("amount_minor").as("minor"))
    .executeTakeFirstOrThrow();
  return { actions: Number(actions), minor: Number(minor ?? 0) };
}

/** Writes the use of a grant by a commit that crosses now; in the boundary transaction, beside its submission. */
export async function reserveUse(tx: Tx, task: TaskRow, act: Act, now: number): Promise<void> {
  const amount = act.amount.kind === "told" ? act.amount.value : undefined;
  await tx
    .insertInto("grant_use")
    .values({
      task_id: task.task_id,
      tenant_id: task.tenant_id,
      consent_ref: task.consent_ref,
      operation: task.operation,
      amount_minor: amount?.minor ?? null,
      currency: amount?.currency ?? null,
      payee: act.payee.kind === "told" ? act.payee.value : null,
      at: now,
      state: "reserved",
      settled_at: null,
    })
    .execute();
}

/**
 * It happened: the use is spent, at what the site says it charged. A figure in another currency cannot be set against
 * the limit, so what was reserved stays.
 */
export async function spendUse(
  tx: Tx,
  taskId: string,
  operation: Pick<CommitOperation, "ceiling">,
  charged: JsonObject | undefined,
  now: number,
): Promise<void> {
  const row = await tx.selectFrom("grant_use").selectAll().where("task_id", "=", taskId).executeTakeFirst();
  if (row === undefined) return;
  const minor = chargedMinor(operation, charged, row.currency);
  await tx
    .updateTable("grant_use")
    .set({ state: "spent", settled_at: now, ...(minor === undefined ? {} : { amount_minor: minor }) })
    .where("task_id", "=", taskId)
    .execute();
}

/** It did not happen: what was reserved is free again. */
export async function releaseUse(tx: Tx, taskId: string, now: number): Promise<void> {
  await tx.updateTable("grant_use").set({ state: "released", settled_at: now }).where("task_id", "=", taskId).execute();
}

function chargedMinor(
  { ceiling }: Pick<CommitOperation, "ceiling">,
  charged: JsonObject | undefined,
  reserved: string | null,
): number | undefined {
  if (ceiling === undefined || charged === undefined || reserved === null) return undefined;
  const minor = charged[ceiling.totalMember];
  const currency = charged[ceiling.currencyMember] ?? reserved;
  return typeof minor === "number" && Number.isSafeInteger(minor) && minor >= 0 && currency === reserved
    ? minor
    : undefined;
}
