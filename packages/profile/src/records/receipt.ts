import { z } from "zod";
import { SITE_TEXT_BYTES_MAX } from "../limits.ts";
import { identifier } from "../request/request.ts";
import { routeRecord } from "./action.ts";
import { EVIDENCE_MAX, FLAGS_MAX, NOTE_CHARS_MAX } from "./limits.ts";
import { digestText, freeText, issuerUrl, recordObject, recordTime, word } from "./shapes.ts";

export const RECEIPT_OUTCOMES = ["succeeded", "outcome_unknown", "denied", "expired", "failed", "cancelled"] as const;
export type ReceiptOutcome = (typeof RECEIPT_OUTCOMES)[number];

const mediaType = z
  .string()
  .max(127)
  .regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/);

const receiptMembers = z.strictObject({
  typ: z.literal("countersign.receipt/1"),
  issuer: issuerUrl,
  /** The gateway's own record; a merchant's receipt is kept apart, as it came (REC-3). */
  source: z.literal("gateway"),
  receipt_id: identifier,
  task_id: identifier,
  operation: identifier,
  account_ref: identifier,
  /** 1, 2, 3, ... for each account, in the order of the log: a gap shows (decisions.md 3). */
  account_seq: z.int().min(1),
  outcome: z.enum(RECEIPT_OUTCOMES),
  /** Why, for every outcome but `succeeded`: a member of the profile's reasons, of this version or a later one. */
  reason: word.exactOptional(),
  finished_at: recordTime,
  route: routeRecord.exactOptional(),
  action_digest: digestText.exactOptional(),
  approval_ref: identifier.exactOptional(),
  approval_digest: digestText.exactOptional(),
  attempt: z.int().min(1).exactOptional(),
  commit_started_at: recordTime.exactOptional(),
  destination: z
    .strictObject({
      confirmation: freeText(SITE_TEXT_BYTES_MAX).exactOptional(),
      how: freeText(NOTE_CHARS_MAX).exactOptional(),
    })
    .exactOptional(),
  /** The terms actually seen, in the members that the catalogue puts into receipts. */
  observed: recordObject.exactOptional(),
  flags: z
    .array(z.enum(["terms_exceeded", "terms_differ"]))
    .min(1)
    .max(FLAGS_MAX)
    .exactOptional(),
  evidence: z
    .array(z.strictObject({ kind: word, media_type: mediaType, sha256: digestText, bytes: z.int().min(0) }))
    .max(EVIDENCE_MAX),
  merchant_records: z
    .array(
      z.strictObject({
        kind: word,
        sha256: digestText,
        signature_checked: z.boolean(),
        by: freeText(NOTE_CHARS_MAX).exactOptional(),
      }),
    )
    .max(EVIDENCE_MAX),
  /** The receipt that this one settles: an `outcome_unknown` that a read-back resolved. */
  supersedes: identifier.exactOptional(),
});

/** `countersign.receipt/1` (REC-1..4): what came of a task. Members that its outcome cannot have are absent. */
export const receiptRecord = receiptMembers.superRefine((record, issues) => {
  for (const [member, message] of contradictions(record)) {
    issues.addIssue({ code: "custom", path: [member], message, input: record });
  }
});

export type ReceiptRecord = z.infer<typeof receiptMembers>;

/** Outcomes that are reached only before the boundary (decisions.md 9): nothing was sent, nothing was confirmed. */
const NEVER_SENT: ReadonlySet<ReceiptOutcome> = new Set(["denied", "expired", "cancelled"]);

function contradictions(record: ReceiptRecord): readonly (readonly [member: keyof ReceiptRecord, message: string])[] {
  const found: (readonly [keyof ReceiptRecord, string])[] = [];
  const has = (member: keyof ReceiptRecord) => record[member] !== undefined;
  const rule = (holds: boolean, member: keyof ReceiptRecord, message: string) => {
    if (!holds) found.push([member, message]);
  };
  rule(has("reason") !== (record.outcome === "succeeded"), "reason", "present unless succeeded, and only then");
  rule(has("approval_ref") === has("approval_digest"), "approval_ref", "reference and digest come together");
  rule(!has("approval_digest") || has("action_digest"), "action_digest", "an approval is of an action");
  rule(!has("commit_started_at") || has("action_digest"), "action_digest", "only an action commits");
  rule((record.commit_started_at ?? "") <= record.finished_at, "finished_at", "not before the commit started");
  if (NEVER_SENT.has(record.outcome)) {
    for (const member of ["commit_started_at", "attempt", "destination"] as const) {
      rule(!has(member), member, "nothing was sent");
    }
  }
  if (record.outcome === "outcome_unknown") {
    rule(has("commit_started_at"), "commit_started_at", "only a submission has an unknown outcome");
    rule(!has("destination"), "destination", "an unknown outcome has no confirmation");
  }
  if (record.flags !== undefined) {
    rule(record.outcome === "succeeded" && has("observed"), "flags", "the receipt says what was charged");
  }
  return found;
}
