import { type ApprovalMethod, type ApprovalRecord, approvalRecord } from "@countersign/profile";
import { assert, parseJws } from "@countersign/wire";
import type { Selectable } from "kysely";
import type { Schema } from "../store/schema.ts";

export type ActionRow = Selectable<Schema["action"]>;
export type ApprovalRow = Selectable<Schema["approval"]>;

/** What a stored decision was given for, in the words that the approval service signed (U18). */
export interface SignedDecision {
  readonly decision: ApprovalRecord["decision"];
  readonly method: ApprovalMethod;
  readonly taskId: string;
  readonly actionId: string;
  readonly actionDigest: string;
}

/** Reads the signed record and not the columns beside it: they are there for queries, and nothing hangs on them. */
export function signedDecision(row: ApprovalRow): SignedDecision {
  const jws = parseJws(row.jws);
  assert(jws.ok, "a stored approval is a JWS");
  const {
    decision,
    auth,
    task_id: taskId,
    action_id: actionId,
    action_digest: actionDigest,
  } = approvalRecord.parse(jws.value.payload);
  assert(auth.method !== "openid4vp" && auth.method !== "spc", "no such approval is ever made here");
  return { decision, method: auth.method, taskId, actionId, actionDigest };
}
