import { digestOf, err, type JsonObject, ok, type Result } from "@countersign/wire";
import { recordedPolicy, satisfiesPolicy } from "../catalogue/policy.ts";
import type { ActionRecord } from "../records/action.ts";
import type { ApprovalRecord } from "../records/approval.ts";
import type { EvidenceBundle } from "../records/bundle.ts";
import type { CredentialRecord } from "../records/passkey.ts";
import { APPROVAL, CREDENTIAL } from "../records/signed.ts";
import { DISPLAY_TEXT } from "./disclosures.ts";
import { type OpenedRecord, openSigned, type VerifiedKeySet } from "./keyset.ts";
import type { Refusal, RefusalCode } from "./report.ts";
import { verifyAssertion } from "./webauthn.ts";

/** An action with its digest as computed here: step 4. */
export interface FrozenAction {
  readonly record: ActionRecord;
  readonly digest: string;
}

/** Step 5: the approval is of exactly this action, by its holder, in its time. */
export async function openApproval(
  jws: string,
  action: FrozenAction,
  keys: VerifiedKeySet,
): Promise<Result<OpenedRecord<ApprovalRecord>, Refusal>> {
  const opened = await openSigned(APPROVAL, jws, keys, { step: 5, part: "approval" });
  if (!opened.ok) return opened;
  const fault = approvalFault(opened.value.record, action);
  return fault === undefined ? opened : err({ code: fault, step: 5, part: "approval" });
}

function approvalFault(approval: ApprovalRecord, action: FrozenAction): RefusalCode | undefined {
  const { record, digest } = action;
  if (approval.issuer !== record.issuer) return "wrong_issuer";
  if (approval.action_digest !== digest) return "digest_differs";
  if (approval.action_id !== record.action_id || approval.task_id !== record.task_id) return "ids_differ";
  if (approval.account_holder !== record.account_holder) return "holder_differs";
  const { decided_at: decidedAt, commit_before: commitBefore } = approval;
  if (decidedAt < record.created_at || decidedAt > record.expires_at) return "outside_window";
  if (commitBefore < decidedAt || commitBefore > record.expires_at) return "outside_window";
  if (approval.surface.display_digest !== record.private[DISPLAY_TEXT]) return "display_digest_differs";
  // Wallet credentials and payment confirmations have their own rules, which this verifier does not know: fail closed.
  const { method } = approval.auth;
  if (method === "openid4vp" || method === "spc") return "method_not_verifiable";
  // A passkey signs the record's digest and no decision, so that what it signed can only ever be an approval.
  if (approval.decision === "denied" && method === "passkey") return "passkey_unexpected";
  const policy = recordedPolicy(record.limits);
  const enough = policy === undefined || satisfiesPolicy(policy, method);
  return approval.decision === "denied" || enough ? undefined : "policy_not_met";
}

/** What stands behind the decision besides the approval service's word. */
export interface HolderProof {
  /** `none`: a session. `present`: a passkey was touched. `verified`: and it verified the person. */
  readonly passkey: "none" | "present" | "verified";
  readonly credential?: OpenedRecord<CredentialRecord>;
}

/** Step 7: if the approval says passkey, the passkey of this holder, enrolled before, signed this action's digest. */
export async function checkHolder(
  bundle: EvidenceBundle,
  approval: ApprovalRecord,
  keys: VerifiedKeySet,
): Promise<Result<HolderProof, Refusal>> {
  const refuse = (code: RefusalCode, part: "passkey" | "credential") => err({ code, step: 7 as const, part });
  const { passkey, credential: credentialJws } = bundle;
  if (approval.auth.method !== "passkey") {
    if (passkey !== undefined) return refuse("passkey_unexpected", "passkey");
    return credentialJws === undefined ? ok({ passkey: "none" }) : refuse("passkey_unexpected", "credential");
  }
  if (passkey === undefined) return refuse("passkey_missing", "passkey");
  if (credentialJws === undefined) return refuse("passkey_missing", "credential");
  if ((await digestOf(passkey as JsonObject)) !== approval.auth.assertion_digest) {
    return refuse("digest_differs", "passkey");
  }
  const credential = await openSigned(CREDENTIAL, credentialJws, keys, { step: 7, part: "credential" });
  if (!credential.ok) return credential;
  const { record, digest } = credential.value;
  if (digest !== approval.auth.credential_digest) return refuse("digest_differs", "credential");
  if (record.issuer !== approval.issuer) return refuse("wrong_issuer", "credential");
  if (record.account_holder !== approval.account_holder) return refuse("holder_differs", "credential");
  if (record.credential_id !== passkey.credential_id) return refuse("credential_differs", "passkey");
  if (record.enrolled_at > approval.decided_at) return refuse("not_enrolled_then", "credential");
  if (!isRpIdOf(record.origin, record.rp_id)) return refuse("rp_id_differs", "credential");
  const assertion = await verifyAssertion(passkey, record, approval.action_digest);
  if (!assertion.ok) return refuse(assertion.reason, "passkey");
  if (approval.auth.uv && assertion.value !== "verified") return refuse("user_not_verified", "passkey");
  // The weaker of the two statements counts.
  return ok({ passkey: approval.auth.uv ? assertion.value : "present", credential: credential.value });
}

/** WebAuthn level 3 section 5.1.3: the RP ID is the page's host, or a parent domain of it. */
function isRpIdOf(origin: string, rpId: string): boolean {
  const host = new URL(origin).hostname;
  return host === rpId || host.endsWith(`.${rpId}`);
}
