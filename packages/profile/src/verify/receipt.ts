import { canonicalJson, err, ok, type Result } from "@countersign/wire";
import { recordedPolicy } from "../catalogue/policy.ts";
import type { ActionRecord } from "../records/action.ts";
import type { ApprovalRecord } from "../records/approval.ts";
import type { ReceiptRecord } from "../records/receipt.ts";
import { RECEIPT } from "../records/signed.ts";
import type { FrozenAction } from "./decision.ts";
import { type OpenedRecord, openSigned, type VerifiedKeySet } from "./keyset.ts";
import type { Refusal, RefusalCode, VerificationNote } from "./report.ts";
import type { CompareObserved } from "./terms.ts";

/** A receipt by itself: signed by a receipt key of this issuer that was valid when it finished. */
export async function verifyReceipt(
  jws: string,
  keys: VerifiedKeySet,
): Promise<Result<OpenedRecord<ReceiptRecord>, Refusal>> {
  const opened = await openSigned(RECEIPT, jws, keys, { step: 9, part: "receipt" });
  if (opened.ok && opened.value.record.issuer !== keys.record.issuer) {
    return err({ code: "wrong_issuer", step: 9, part: "receipt" });
  }
  return opened;
}

/**
 * Step 9: the receipt belongs to this action and this decision, whatever committed did so under the approval and in its
 * window, and what was seen is what was approved.
 */
export function checkReceipt(
  receipt: ReceiptRecord,
  action: FrozenAction | undefined,
  approval: { readonly record: ApprovalRecord; readonly digest: string } | undefined,
  compare: CompareObserved,
): Result<readonly VerificationNote[], Refusal> {
  const refuse = (code: RefusalCode) => err({ code, step: 9 as const, part: "receipt" as const });
  if (action === undefined) {
    return receipt.action_digest === undefined ? ok([]) : refuse("action_missing");
  }
  if (!isLinked(receipt, action)) return refuse("links_differ");
  if (approval === undefined && receipt.approval_digest !== undefined) return refuse("approval_missing");
  if (receipt.approval_digest !== approval?.digest || receipt.approval_ref !== approval?.record.approval_ref) {
    return refuse("links_differ");
  }
  const committed = receipt.commit_started_at !== undefined || receipt.outcome === "succeeded";
  if (!committed) return ok([]);
  const unasked = approval === undefined && needsNobody(action.record);
  if (!unasked && approval?.record.decision !== "approved") return refuse("committed_without_approval");
  const startedAt = receipt.commit_started_at;
  const from = approval?.record.decided_at ?? action.record.created_at;
  const until = approval?.record.commit_before ?? action.record.expires_at;
  if (startedAt === undefined || startedAt < from || startedAt > until) return refuse("outside_window");
  const terms = checkTerms(receipt, action, compare);
  if (terms === undefined) return refuse("terms_differ");
  return ok(unasked ? [...terms, "nobody_asked"] : terms);
}

/**
 * The policy that was in force is among the limits of the record, which the receipt's key has signed by its digest: a
 * record under any other policy cannot be passed off as one that needed nobody.
 */
function needsNobody(record: ActionRecord): boolean {
  return recordedPolicy(record.limits) === "none";
}

function isLinked(receipt: ReceiptRecord, action: FrozenAction): boolean {
  const { record, digest } = action;
  return (
    receipt.action_digest === digest &&
    receipt.task_id === record.task_id &&
    receipt.operation === record.operation &&
    receipt.account_ref === record.account_ref &&
    (receipt.route === undefined || canonicalJson(receipt.route) === canonicalJson(record.route))
  );
}

/** Undefined when the observed terms are not the approved ones. */
function checkTerms(
  receipt: ReceiptRecord,
  action: FrozenAction,
  compare: CompareObserved,
): readonly VerificationNote[] | undefined {
  if (receipt.observed === undefined) return receipt.outcome === "succeeded" ? ["terms_not_observed"] : [];
  const answer = compare(action.record.operation, action.record.terms, receipt.observed);
  const exceeded = receipt.flags?.includes("terms_exceeded") ? (["terms_exceeded"] as const) : [];
  const differ = receipt.flags?.includes("terms_differ") ? (["terms_differ"] as const) : [];
  // What differs may be among what a receipt does not carry: where it says so, the reader is told.
  if (answer.ok) return [...(answer.lower ? (["terms_lower"] as const) : []), ...differ];
  // Only a receipt that owns up to the difference stands (decisions.md 10); one that hides it contradicts itself.
  const owned = differ.length > 0 || (answer.exceeded && exceeded.length > 0);
  return owned ? [...exceeded, ...differ] : undefined;
}
