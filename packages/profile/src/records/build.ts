import {
  checkRecord,
  type Digest,
  digestOf,
  err,
  formatInstant,
  type Instant,
  type JsonObject,
  type JsonProblem,
  type JwkLike,
  ok,
  parsePublicJwk,
  type Result,
  thumbprint,
} from "@countersign/wire";
import type { z } from "zod";
import { PROFILE_ID } from "../limits.ts";
import { type ActionRecord, actionRecord } from "./action.ts";
import { type ApprovalRecord, approvalRecord } from "./approval.ts";
import { type KeyRole, type KeySetRecord, keySetRecord, type ListedKey } from "./keys.ts";
import { KEY_SET_BYTES_MAX } from "./limits.ts";
import { type ReceiptRecord, receiptRecord } from "./receipt.ts";

/**
 * Why a record cannot be built. `path` is a JSON pointer; neither holds a value of the input.
 * `not_this_record`: a member is missing, unknown or breaks its rule. The others are the record profile's.
 */
export interface RecordProblem {
  readonly code: "not_this_record" | JsonProblem["code"];
  readonly path: string;
}

function made<T>(schema: z.ZodType<T>, value: unknown, maxBytes?: number): Result<T, RecordProblem> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path ?? [];
    return err({ code: "not_this_record", path: path.map((step) => `/${String(step)}`).join("") });
  }
  const checked = checkRecord(parsed.data as JsonObject, maxBytes === undefined ? {} : { maxBytes });
  return checked.ok ? ok(parsed.data) : err({ code: checked.reason.code, path: checked.reason.path });
}

/** Everything of an action that is not fixed by the profile. Nonce and times are the caller's. */
export type ActionMembers = Omit<ActionRecord, "typ" | "profile" | "uses">;

/** Freezes an action (APR-2): the record and the digest that a person will approve. */
export async function buildAction(
  members: ActionMembers,
): Promise<Result<{ readonly record: ActionRecord; readonly digest: Digest }, RecordProblem>> {
  const record = made(actionRecord, { typ: "countersign.action/1", profile: PROFILE_ID, uses: 1, ...members });
  return record.ok ? ok({ record: record.value, digest: await digestOf(record.value as JsonObject) }) : record;
}

/** What a decision adds to the action it decides. */
export interface DecisionMembers {
  readonly approvalRef: string;
  readonly decision: ApprovalRecord["decision"];
  readonly decidedAt: Instant;
  readonly surface: Omit<ApprovalRecord["surface"], "display_digest">;
  readonly auth: ApprovalRecord["auth"];
}

/**
 * The approval of one action. It may be committed until the action expires, and what the person saw is the action's own
 * display text: neither can be given from outside.
 */
export async function buildApproval(
  action: ActionRecord,
  decision: DecisionMembers,
): Promise<Result<ApprovalRecord, RecordProblem>> {
  return made(approvalRecord, {
    typ: "countersign.approval/1",
    issuer: action.issuer,
    approval_ref: decision.approvalRef,
    task_id: action.task_id,
    action_id: action.action_id,
    action_digest: await digestOf(action as JsonObject),
    account_holder: action.account_holder,
    decision: decision.decision,
    decided_at: formatInstant(decision.decidedAt),
    commit_before: action.expires_at,
    uses: 1,
    surface: { ...decision.surface, display_digest: action.private["display_text"] },
    auth: decision.auth,
  });
}

export type ReceiptMembers = Omit<ReceiptRecord, "typ" | "source">;

/** A receipt's payload, refused when it has a member that its outcome cannot have (REC-1). */
export function buildReceiptPayload(members: ReceiptMembers): Result<ReceiptRecord, RecordProblem> {
  return made(receiptRecord, { typ: "countersign.receipt/1", source: "gateway", ...members });
}

/** A public key for the key set. Anything private in `jwk` is refused. */
export interface KeyToList {
  readonly jwk: JwkLike;
  readonly role: KeyRole;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  /** A compromised key: both times, the earlier one being from when its signatures count no more. */
  readonly compromised?: { readonly revokedAt: Instant; readonly suspectFrom: Instant };
}

/** The next version of the key set. `previous` is undefined for the first. */
export async function buildKeySet(set: {
  readonly issuer: string;
  readonly issuedAt: Instant;
  readonly previous?: { readonly version: number; readonly digest: string };
  readonly keys: readonly KeyToList[];
}): Promise<Result<KeySetRecord, RecordProblem>> {
  const keys: ListedKey[] = [];
  for (const [index, key] of set.keys.entries()) {
    const jwk = parsePublicJwk(key.jwk);
    if (!jwk.ok) return err({ code: "not_this_record", path: `/keys/${index}` });
    keys.push({
      ...jwk.value,
      alg: "ES256",
      use: "sig",
      kid: await thumbprint(jwk.value),
      role: key.role,
      not_before: formatInstant(key.notBefore),
      not_after: formatInstant(key.notAfter),
      ...(key.compromised === undefined
        ? {}
        : {
            revoked_at: formatInstant(key.compromised.revokedAt),
            suspect_from: formatInstant(key.compromised.suspectFrom),
          }),
    });
  }
  const value = {
    typ: "countersign.keys/1",
    issuer: set.issuer,
    version: (set.previous?.version ?? 0) + 1,
    issued_at: formatInstant(set.issuedAt),
    prev: set.previous?.digest ?? "",
    keys,
  };
  return made(keySetRecord, value, KEY_SET_BYTES_MAX);
}
