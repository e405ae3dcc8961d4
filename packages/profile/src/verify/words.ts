import type { EvidenceLevel, Refusal, RefusalCode, VerificationNote } from "./report.ts";

const LEVELS: Readonly<Record<EvidenceLevel, string>> = {
  L1: "signed by the gateway's operator",
  L2: "signed by the gateway's operator and in the log under the pin",
  L3: "signed by the account holder's enrolled passkey, and in the log under the pin",
  L4: "signed by the account holder's enrolled passkey, in the log, and borne out by others than the operator",
};

/** What a level says, and no more than that (approval-evidence section 5.10). */
export function levelInWords(level: EvidenceLevel): string {
  return LEVELS[level];
}

const NOTES: Readonly<Record<VerificationNote, string>> = {
  terms_exceeded: "the site charged more than was approved; the receipt says so",
  terms_differ: "what the site did or charged is not what was approved; the receipt says so",
  terms_lower: "the site charged less than was approved",
  terms_not_observed: "the receipt does not say what was charged or done: nothing was compared",
  key_later_suspect: "a key that signed a part of it was found compromised later",
  user_not_verified: "the passkey was touched, but did not verify the person",
  decided_by_authority: "an authority decided for the account holder; its own evidence was not checked",
  nobody_asked: "the record says that nobody had to be asked, and nobody was",
  held_checkpoint_consistent: "the log only grew since the checkpoint that you hold",
  not_logged: "it is in no log: that nothing was removed or added later is the operator's word",
};

export function noteInWords(note: VerificationNote): string {
  return NOTES[note];
}

const REFUSALS: Readonly<Record<RefusalCode, string>> = {
  not_strict_json: "it is not the strict JSON that a record is written in",
  not_this_record: "a member is missing, unknown or breaks its rule",
  wrong_kind: "another kind of record stands in this place",
  pin_not_in_keys: "the key set does not know the pinned key",
  not_signed_by_pin: "the key set was not signed with the pinned key, and nothing in the bundle leads from it there",
  bad_key: "a listed key is not the one that its name says",
  wrong_issuer: "it is another gateway's",
  bad_signature: "the signature does not fit",
  unknown_key: "it was signed with a key that the key set does not list",
  wrong_role: "it was signed with a key that is for something else",
  key_not_valid_then: "the key was not valid at the time that it states",
  key_suspect: "the key was compromised at the time that it states",
  wrong_log: "the checkpoint is of another log",
  log_missing: "you hold a checkpoint, and the bundle is in no log",
  log_inconsistent: "ALARM: the log does not continue the checkpoint that you hold; something was removed or changed",
  digest_differs: "it is about something else: the digests differ",
  ids_differ: "it names another task or action",
  holder_differs: "it is of another account holder",
  outside_window: "it happened outside the time for which it was approved",
  display_digest_differs: "what was shown is not what the record says was to be shown",
  approval_missing: "the decision that it names is not there",
  method_not_verifiable: "the decision was made in a way that this verifier cannot check",
  passkey_required: "this operation needs a passkey, and none decided",
  policy_not_met: "the decision is weaker than what the record itself demands",
  disclosure_unknown: "a disclosed text is none of the record's",
  disclosure_malformed: "a disclosed text is not written as one",
  display_differs: "the text that was shown is not the one that the record gives when it is drawn again",
  passkey_missing: "a passkey decided, and its signature or its enrolment is not there",
  passkey_unexpected: "a passkey's signature stands beside a decision that was not made with one",
  credential_differs: "another passkey signed",
  not_enrolled_then: "the passkey was enrolled only after the decision",
  client_data_malformed: "what the passkey signed cannot be read",
  wrong_ceremony: "the passkey signed something other than a decision",
  challenge_differs: "the passkey signed another record",
  origin_differs: "the passkey signed on another site's page",
  cross_origin: "the passkey signed inside another site's page",
  rp_id_differs: "the passkey belongs to another site",
  authenticator_data_malformed: "what the passkey said of itself cannot be read",
  user_not_present: "nobody touched the passkey",
  user_not_verified: "the passkey did not verify the person",
  bad_assertion: "the passkey's signature does not fit",
  proof_missing: "it is not shown to be in the log",
  proof_unexpected: "its place in the log is shown, but it was taken out",
  not_in_log: "it is not in the log at the place that is shown",
  log_order: "the log has it in another order than it must have happened",
  links_differ: "the receipt is of another action or decision",
  committed_without_approval: "it was carried out without an approval",
  terms_differ: "what was carried out is not what was approved",
  action_missing: "the action that the receipt names is not there",
};

/** Why a bundle does not hold, as a sentence without a full stop. Holds nothing of the bundle. */
export function refusalInWords(refusal: Refusal): string {
  return REFUSALS[refusal.code];
}
