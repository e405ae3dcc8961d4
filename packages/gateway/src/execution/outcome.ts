import type { SiteRecord } from "@countersign/plugin";
import type { ActionRecord, Reason } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { closeVerification } from "../connection/verifications.ts";
import { releaseUse, spendUse } from "../consent/uses.ts";
import { fitTerms } from "../evidence/fit.ts";
import { insertReceipt, type ReceiptExtras } from "../evidence/leaves.ts";
import { READ_BACK_FIRST_MS, RESULT_LIFE_MS } from "../limits.ts";
import type { MachineEvent } from "../machine/step.ts";
import type { Tx } from "../store/store.ts";
import { moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";
import { outcomeFlags } from "./charged.ts";
import { tellReview } from "./review.ts";
import type { Claimed, Work } from "./work.ts";

/** A confirmation of the site's, by its answer or by reading it back. */
export interface Landed {
  /** The operation's result; undefined when what the site showed broke the result's rules. */
  readonly result: JsonObject | undefined;
  /** The site's own word for it; absent where it held one of the session's secrets. */
  readonly confirmation?: string;
  readonly how: "answer" | "read_back";
  /** What the site says was actually charged or done. */
  readonly observed?: JsonObject;
  /** Members of what it said that were kept back. */
  readonly withheld: readonly string[];
  /** The site's own records, kept as they came. */
  readonly records: readonly SiteRecord[];
}

export interface Submitted {
  /** What the site answered, as a receipt names it; absent where no answer came, or long ago. */
  readonly evidence?: readonly JsonObject[];
  readonly submittedAt: number;
  readonly observed: JsonObject;
}

export async function settleConfirmed(
  work: Work,
  submitted: Submitted,
  record: ActionRecord,
  landed: Landed,
): Promise<void> {
  const { core, task, operation } = work;
  const fitted = landed.observed === undefined ? undefined : await fitTerms(landed.observed);
  const observed = fitted?.value;
  const withheld = [...landed.withheld, ...(fitted?.leftOut ?? [])];
  const flags =
    operation.effect === "commit" ? outcomeFlags(operation, record.terms as JsonObject, observed, withheld) : [];
  if (flags.length > 0) core.log.warn("outcome.not_as_approved", { task: task.task_id, flags: flags.join(" ") });
  const result =
    landed.result === undefined
      ? {}
      : {
          result: sealText(core.sealer, `result:${task.task_id}`, JSON.stringify(landed.result)),
          result_expires_at: core.now() + RESULT_LIFE_MS,
        };
  await settle(
    work,
    { type: "confirmed" },
    { due_at: null, ...result, ...(flags.length === 0 ? {} : { review_at: core.now() }) },
    async (tx, settled) => {
      if (flags.length > 0) await tellReview(core, tx, settled);
      if (operation.effect === "commit") await spendUse(tx, task.task_id, operation, observed, core.now());
      await insertReceipt(core, tx, settled, {
        ...submittedExtras(submitted),
        destination: {
          ...(landed.confirmation === undefined ? {} : { confirmation: landed.confirmation }),
          how: landed.how === "answer" ? "the site's answer" : "read back at the site",
        },
        observed: receiptTerms(work, { ...submitted.observed, ...observed }, withheld),
        merchantRecords: landed.records,
        flags,
      });
    },
  );
}

export async function settleRefused(
  work: Work,
  submitted: Submitted,
  reason: Extract<Reason, "site_refused" | "not_sent" | "not_done">,
): Promise<void> {
  await settle(work, { type: "rejected", reason }, { due_at: null }, async (tx, task) => {
    await releaseUse(tx, task.task_id, work.core.now());
    await insertReceipt(work.core, tx, task, submittedExtras(submitted));
  });
}

/** Nothing recognised came back: it may have happened. Reading back starts at once (STA-4). */
export async function settleLost(work: Claimed, submitted: Submitted): Promise<void> {
  await settle(work, { type: "answer_lost" }, { due_at: work.core.now() + READ_BACK_FIRST_MS, tries: 0 }, (tx, task) =>
    insertReceipt(work.core, tx, task, submittedExtras(submitted)),
  );
}

/**
 * Evidence about a submission settles it whoever brings it: the worker that sent, one that read back, or a worker whose
 * lease ran out while the answer was on its way. It ends all pending work in the same transaction (lessons U07).
 */
async function settle(
  work: Claimed,
  event: MachineEvent,
  changes: NonNullable<Parameters<typeof moveTask>[5]>,
  also: (tx: Tx, task: TaskRow) => Promise<void>,
): Promise<void> {
  const { core } = work;
  await core.reach("outcome.before_commit");
  await core.store.transaction(async (tx) => {
    const task = await readTask(tx, work.task.task_id);
    // Guessing that an answer is lost is the claim's affair; what the site itself has shown holds whoever learnt it.
    const stale = task.version !== work.task.version || task.fence !== work.task.fence;
    if (event.type === "answer_lost" && stale) return;
    const moved = await moveTask(tx, task, "commit", event, core.now(), {
      ...changes,
      continuation_ref: null,
    });
    if (!moved.ok) return;
    await closeVerification(tx, task.task_id, core.now());
    await also(tx, moved.value);
  });
  await work.core.reach("outcome.committed");
}

function submittedExtras(submitted: Submitted): ReceiptExtras {
  return { commitStartedAt: submitted.submittedAt, attempt: 1, evidence: submitted.evidence ?? [] };
}

/** The members that the catalogue puts into receipts, and no others: a receipt is no copy of the page (REC-2). */
function receiptTerms(work: Work, terms: JsonObject, withheld: readonly string[]): JsonObject {
  const members = work.operation.effect === "commit" ? work.operation.meaning.receipt : [];
  return Object.fromEntries(
    members.flatMap((member) =>
      terms[member] === undefined || withheld.includes(member) ? [] : [[member, terms[member]]],
    ),
  );
}
