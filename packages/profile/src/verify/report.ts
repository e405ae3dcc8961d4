import type { Result } from "@countersign/wire";
import type { ActionRecord } from "../records/action.ts";
import type { ApprovalRecord } from "../records/approval.ts";
import type { ReceiptOutcome, ReceiptRecord } from "../records/receipt.ts";

/**
 * How much stands behind the evidence (approval-evidence section 5.10). L1: the operator signed it. L2: and logged it
 * under the pin. L3: and the holder's enrolled passkey signed it. L4: and something independent of the operator stands
 * beside it (a witnessed checkpoint, a time-stamp, a wallet credential, an attested authenticator).
 */
export type EvidenceLevel = "L1" | "L2" | "L3" | "L4";

/** The part of the bundle that a refusal is about. */
export type BundlePart =
  | "bundle"
  | "action"
  | "disclosures"
  | "approval"
  | "passkey"
  | "credential"
  | "receipt"
  | "keys"
  | "log";

/** The step of approval-evidence section 5 that refused. */
export type VerificationStep = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Every check that can refuse a bundle. */
export type RefusalCode =
  /** 1: not JSON within the record profile; or another shape, an unknown or missing member, another kind of record. */
  | "not_strict_json"
  | "not_this_record"
  | "wrong_kind"
  /** 2: the key set is not the pinned log key's; issuer; a listed key that is not what it says. */
  | "pin_not_in_keys"
  | "not_signed_by_pin"
  | "bad_key"
  | "wrong_issuer"
  /** Any signed part. */
  | "bad_signature"
  | "unknown_key"
  | "wrong_role"
  | "key_not_valid_then"
  | "key_suspect"
  /** 3 */
  | "wrong_log"
  | "log_missing"
  | "log_inconsistent"
  /** 5 */
  | "digest_differs"
  | "ids_differ"
  | "holder_differs"
  | "outside_window"
  | "display_digest_differs"
  | "approval_missing"
  | "method_not_verifiable"
  | "passkey_required"
  | "policy_not_met"
  /** 6 */
  | "disclosure_unknown"
  | "disclosure_malformed"
  | "display_differs"
  /** 7 */
  | "passkey_missing"
  | "passkey_unexpected"
  | "credential_differs"
  | "not_enrolled_then"
  | "client_data_malformed"
  | "wrong_ceremony"
  | "challenge_differs"
  | "origin_differs"
  | "cross_origin"
  | "rp_id_differs"
  | "authenticator_data_malformed"
  | "user_not_present"
  | "user_not_verified"
  | "bad_assertion"
  /** 8 */
  | "proof_missing"
  | "proof_unexpected"
  | "not_in_log"
  | "log_order"
  /** 9 */
  | "links_differ"
  | "committed_without_approval"
  | "terms_differ"
  | "action_missing";

export interface Refusal {
  readonly code: RefusalCode;
  readonly step: VerificationStep;
  readonly part: BundlePart;
}

/** What a reader must be told beside the level. */
export type VerificationNote =
  /** The site charged more than was approved, after all checks; the receipt says so (decisions.md 10). */
  | "terms_exceeded"
  /** The site did or charged something else than was approved, after all checks; the receipt says so. */
  | "terms_differ"
  /** The site charged less; allowed and recorded (APR-4). */
  | "terms_lower"
  /** The receipt of a success carries no observed terms: nothing was compared. */
  | "terms_not_observed"
  /** A key that signed a part was found compromised later; the part claims an earlier time. */
  | "key_later_suspect"
  /** The passkey was touched without verifying the person. */
  | "user_not_verified"
  /** An authority that the holder enrolled decided for them; its own evidence is not in the bundle and was not checked. */
  | "decided_by_authority"
  /** The record itself says that nobody had to be asked, and nobody was. */
  | "nobody_asked"
  /** A held checkpoint was compared, and the log only grew since. */
  | "held_checkpoint_consistent"
  /** There is no log: that nothing was removed or slipped in is the operator's word. */
  | "not_logged";

/** What a bundle that stands shows, and no more than that. */
export interface Verification {
  readonly level: EvidenceLevel;
  /** Whether L4 was reached; nothing that a bundle can carry today is independent of the operator. */
  readonly independent: "attained" | "no_independent_evidence";
  /**
   * `approval`: this holder approved this record. `denial`: they refused it, which is no approval. `receipt`: only what
   * came of the task; nobody decided anything.
   */
  readonly proves: "approval" | "denial" | "receipt";
  /** `none`: there was no record to show. */
  readonly display: "checked" | "withheld" | "none";
  /** `same`: the text was drawn again from the record and is equal. `not_checked`: no renderer for it, or withheld. */
  readonly rendering: "same" | "not_checked";
  readonly receipt: ReceiptOutcome | "absent";
  readonly notes: readonly VerificationNote[];
  /** The disclosed private texts by name, `display_text` among them. Personal. */
  readonly disclosed: Readonly<Record<string, string>>;
  readonly records: {
    readonly action?: ActionRecord;
    readonly approval?: ApprovalRecord;
    readonly receipt?: ReceiptRecord;
  };
}

export type VerificationReport = Result<Verification, Refusal>;

/** The claim in words that do not say more than the evidence (approval-evidence section 8, wording). */
export function statementOf(verification: Verification): string {
  const { proves, level, notes } = verification;
  if (proves === "receipt") return "gateway record: what came of this task; no decision of the account holder is in it";
  const verb = proves === "approval" ? "approved" : "refused";
  if (notes.includes("decided_by_authority"))
    return `gateway record: the operator states that an authority which the account holder enrolled ${verb} this record`;
  return level === "L3" || level === "L4"
    ? `gateway record: the account holder's enrolled passkey signed the digest of this record, which they ${verb}`
    : `gateway record: the operator states that the account holder ${verb} this record in their own session`;
}
