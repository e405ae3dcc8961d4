import { checkRecord, digestOf, err, isJsonObject, type Json, ok, parseRecord, type Result } from "@countersign/wire";
import { recordedPolicy } from "../catalogue/policy.ts";
import type { ApprovalRecord } from "../records/approval.ts";
import { type EvidenceBundle, evidenceBundle } from "../records/bundle.ts";
import { BUNDLE_BYTES_MAX, BUNDLE_DEPTH_MAX } from "../records/limits.ts";
import type { ReceiptRecord } from "../records/receipt.ts";
import { checkHolder, type FrozenAction, type HolderProof, openApproval } from "./decision.ts";
import { checkRendering, DISPLAY_TEXT, openDisclosures, type Render } from "./disclosures.ts";
import { type OpenedRecord, type VerifiedKeySet, verifyKeySet } from "./keyset.ts";
import { checkInclusion, type HeldCheckpoint, openCheckpoint } from "./log.ts";
import { checkReceipt, verifyReceipt } from "./receipt.ts";
import type {
  BundlePart,
  EvidenceLevel,
  Refusal,
  RefusalCode,
  Verification,
  VerificationNote,
  VerificationReport,
  VerificationStep,
} from "./report.ts";
import { type CompareObserved, compareByMember } from "./terms.ts";

/** What the reader trusts, and what they bring besides. */
export interface VerifyOptions {
  /** Thumbprint of the log key, from anywhere but the bundle. */
  readonly pin: string;
  /** The gateway's issuer URL, letter by letter. */
  readonly issuer: string;
  readonly olderCheckpoint?: HeldCheckpoint;
  readonly render?: Render;
  /** The catalogue's comparison; by member with a not-above `total_minor` when absent. Must not throw. */
  readonly compare?: CompareObserved;
  /** Operations that only a verified passkey may approve; none when absent. */
  readonly passkeyRequired?: (operation: string) => boolean;
}

const refuse = (code: RefusalCode, step: VerificationStep, part: BundlePart) => err({ code, step, part });

/**
 * Verifies an evidence bundle offline (APR-7, approval-evidence section 5). Never throws for what is in the bundle, and
 * trusts nothing in it but what the pinned key leads to.
 *
 * @param input the bundle as text or bytes, or as a JSON value that was read strictly.
 * @returns how much the bundle shows, as a level with what was displayed and what came of it; or the first check that
 *   refused, with its step and the part it is about.
 */
export async function verifyBundle(
  input: string | Uint8Array | Json,
  options: VerifyOptions,
): Promise<VerificationReport> {
  const read = readBundle(input);
  if (!read.ok) return read;
  const bundle = read.value;
  const keys = await verifyKeySet(bundle.keys, options.pin, options.issuer, bundle.earlier_keys);
  if (!keys.ok) return keys;
  if (bundle.log === undefined && options.olderCheckpoint !== undefined) return refuse("log_missing", 3, "log");
  const checkpoint =
    bundle.log === undefined
      ? undefined
      : await openCheckpoint(bundle.log.checkpoint, keys.value, options.olderCheckpoint);
  if (checkpoint?.ok === false) return checkpoint;

  const decided = await openDecision(bundle, keys.value, options);
  if (!decided.ok) return decided;
  const { action, approval, holder } = decided.value;
  const receipt = bundle.receipt === undefined ? undefined : await verifyReceipt(bundle.receipt, keys.value);
  if (receipt?.ok === false) return receipt;

  if (bundle.log !== undefined && checkpoint !== undefined) {
    const included = await checkInclusion(bundle.log, checkpoint.value, {
      keys: keys.value.digest,
      ...(holder.credential && { credential: holder.credential.digest }),
      ...(approval && { approval: approval.digest }),
      ...(receipt && { receipt: receipt.value.digest }),
    });
    if (!included.ok) return included;
  }
  const outcome = receipt && checkReceipt(receipt.value.record, action, approval, options.compare ?? compareByMember);
  if (outcome?.ok === false) return outcome;

  const logged = checkpoint === undefined ? "not_logged" : "logged";
  const notes = new Set<VerificationNote>(outcome?.value ?? []);
  if (logged === "not_logged") notes.add("not_logged");
  if (options.olderCheckpoint !== undefined) notes.add("held_checkpoint_consistent");
  if (holder.passkey === "present") notes.add("user_not_verified");
  if (approval?.record.auth.method === "authority") notes.add("decided_by_authority");
  const signed = [approval, holder.credential, receipt?.value];
  if (signed.some((part) => part?.key.suspect_from !== undefined)) notes.add("key_later_suspect");
  return ok(report(decided.value, receipt?.value.record, levelOf(logged, holder), [...notes]));
}

/** Step 1: strict JSON, the shape of a bundle, and an action that is a record by itself. */
function readBundle(input: string | Uint8Array | Json): Result<EvidenceBundle, Refusal> {
  const limits = { maxBytes: BUNDLE_BYTES_MAX, maxDepth: BUNDLE_DEPTH_MAX };
  const isText = typeof input === "string" || input instanceof Uint8Array;
  const json = isText ? parseRecord(input, limits) : checkRecord(input, limits);
  if (!json.ok) return refuse("not_strict_json", 1, partOf(json.reason.path.split("/")[1]));
  const { action } = json.value;
  if (action !== undefined && isJsonObject(action) && !checkRecord(action).ok) {
    return refuse("not_strict_json", 1, "action");
  }
  const bundle = evidenceBundle.safeParse(json.value);
  return bundle.success ? ok(bundle.data) : refuse("not_this_record", 1, partOf(bundle.error.issues[0]?.path[0]));
}

const PARTS: readonly BundlePart[] = [
  "action",
  "disclosures",
  "approval",
  "passkey",
  "credential",
  "receipt",
  "keys",
  "log",
];

function partOf(member: PropertyKey | undefined): BundlePart {
  return PARTS.find((part) => part === member) ?? "bundle";
}

interface Decision {
  readonly action?: FrozenAction;
  readonly approval?: OpenedRecord<ApprovalRecord>;
  readonly holder: HolderProof;
  readonly disclosed: ReadonlyMap<string, string>;
  readonly rendering: Verification["rendering"];
}

/** Steps 4 to 7: the action, the decision on it, what was shown, and who decided. */
async function openDecision(
  bundle: EvidenceBundle,
  keys: VerifiedKeySet,
  options: VerifyOptions,
): Promise<Result<Decision, Refusal>> {
  if (bundle.action === undefined) {
    const stray = bundle.passkey !== undefined ? "passkey" : bundle.credential !== undefined ? "credential" : undefined;
    if (stray !== undefined) return refuse("passkey_unexpected", 7, stray);
    return ok({ holder: { passkey: "none" }, disclosed: new Map(), rendering: "not_checked" });
  }
  if (bundle.action.issuer !== keys.record.issuer) return refuse("wrong_issuer", 4, "action");
  const action: FrozenAction = { record: bundle.action, digest: await digestOf(bundle.action as Json) };
  const disclosed = await openDisclosures(action.record, bundle.disclosures ?? []);
  if (!disclosed.ok) return refuse(disclosed.reason, 6, "disclosures");
  if (bundle.approval === undefined) {
    if (bundle.passkey !== undefined || bundle.credential !== undefined)
      return refuse("approval_missing", 5, "approval");
    return ok({ action, holder: { passkey: "none" }, disclosed: disclosed.value, rendering: "not_checked" });
  }
  const approval = await openApproval(bundle.approval, action, keys);
  if (!approval.ok) return approval;
  const rendering = checkRendering(action.record, disclosed.value, approval.value.record.surface, options.render);
  if (!rendering.ok) return refuse(rendering.reason, 6, "disclosures");
  const holder = await checkHolder(bundle, approval.value.record, keys);
  if (!holder.ok) return holder;
  const demanded =
    recordedPolicy(action.record.limits) === "passkey" || options.passkeyRequired?.(action.record.operation) === true;
  if (approval.value.record.decision === "approved" && demanded) {
    if (holder.value.passkey === "none") return refuse("passkey_required", 5, "approval");
    if (holder.value.passkey === "present") return refuse("user_not_verified", 7, "passkey");
  }
  return ok({
    action,
    approval: approval.value,
    holder: holder.value,
    disclosed: disclosed.value,
    rendering: rendering.value,
  });
}

/** Step 10. L4 needs evidence from outside the operator, and a bundle has no member for it yet: it is never claimed. */
function levelOf(logged: "logged" | "not_logged", holder: HolderProof): EvidenceLevel {
  if (logged === "not_logged") return "L1";
  return holder.passkey === "verified" ? "L3" : "L2";
}

function report(
  decision: Decision,
  receipt: ReceiptRecord | undefined,
  level: EvidenceLevel,
  notes: readonly VerificationNote[],
): Verification {
  const { action, approval, disclosed, rendering } = decision;
  const shown = disclosed.has(DISPLAY_TEXT) ? "checked" : "withheld";
  const decided = approval?.record.decision === "approved" ? "approval" : "denial";
  return {
    level,
    independent: "no_independent_evidence",
    proves: approval === undefined ? "receipt" : decided,
    display: action === undefined ? "none" : shown,
    rendering,
    receipt: receipt?.outcome ?? "absent",
    notes,
    disclosed: Object.fromEntries(disclosed),
    records: {
      ...(action && { action: action.record }),
      ...(approval && { approval: approval.record }),
      ...(receipt && { receipt }),
    },
  };
}
