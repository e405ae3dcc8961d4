import { type CommitOperation, observedAct } from "@countersign/profile";
import { formatInstant, type Instant, type JsonObject } from "@countersign/wire";
import type { Core } from "../core.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import { EARLIER_LOOKED_AT_MAX, EARLIER_MS, EARLIER_SHOWN_MAX } from "../limits.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import type { EarlierView } from "../trusted/contract.ts";

/**
 * What this account did lately that is equal to what waits now: a person who is asked twice for one thing should hear of
 * the first before they agree to the second. Equal is an equal wish, or the same items by the destination's own
 * identifiers; done, under way past its submission, or unknown. It hinders nothing: buying twice may be meant.
 */
export async function earlierEqual(
  core: Core,
  task: TaskRow,
  operation: CommitOperation,
  terms: JsonObject,
): Promise<readonly EarlierView[]> {
  const rows = await core.store.db
    .selectFrom("task")
    .leftJoin("action", "action.action_id", "task.action_id")
    .select(["task.task_id", "task.state", "task.wish_digest", "task.updated_at", "action.record"])
    .where("task.account_ref", "=", task.account_ref)
    .where("task.operation", "=", task.operation)
    .where("task.task_id", "<>", task.task_id)
    .where("task.submitted", "=", 1)
    .where("task.state", "in", ["executing", "succeeded", "outcome_unknown"])
    .where("task.updated_at", ">=", core.now() - EARLIER_MS)
    .orderBy("task.updated_at", "desc")
    .limit(EARLIER_LOOKED_AT_MAX)
    .execute();
  const wanted = itemsOf(operation, terms);
  const found: EarlierView[] = [];
  for (const row of rows) {
    const then = row.record === null ? undefined : termsOf(row.record);
    const sameWish = row.wish_digest !== null && row.wish_digest === task.wish_digest;
    const sameItems = wanted !== undefined && then !== undefined && itemsOf(operation, then) === wanted;
    if (!sameWish && !sameItems) continue;
    found.push({
      task_id: row.task_id,
      state: row.state,
      at: formatInstant(row.updated_at as Instant),
      ...amountOf(operation, then),
    });
    if (found.length === EARLIER_SHOWN_MAX) break;
  }
  return found;
}

function termsOf(record: string): JsonObject | undefined {
  const { terms } = storedRecord(record);
  return typeof terms === "object" && terms !== null && !Array.isArray(terms) ? (terms as JsonObject) : undefined;
}

/** The items of some terms in one comparable text; undefined where the operation has none, or they cannot be read. */
function itemsOf(operation: CommitOperation, terms: JsonObject): string | undefined {
  const { items } = observedAct(operation, terms);
  return items.kind === "told" ? JSON.stringify([...items.value].sort()) : undefined;
}

function amountOf(operation: CommitOperation, terms: JsonObject | undefined): Pick<EarlierView, "amount"> {
  const { amount } = terms === undefined ? { amount: undefined } : observedAct(operation, terms);
  if (amount?.kind !== "told") return {};
  return { amount: { total_minor: amount.value.minor, currency: amount.value.currency } };
}
