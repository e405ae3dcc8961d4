import type { Observed } from "@countersign/plugin";
import {
  type Act,
  type ActionRecord,
  type ApprovalPolicy,
  type CommitOperation,
  comparePersonal,
  compareTerms,
  observedAct,
  type Reason,
  recordedPolicy,
  satisfiesPolicy,
  sumsThatDisagree,
} from "@countersign/profile";
import { err, type JsonObject, ok, parseInstant, type Result } from "@countersign/wire";
import type { Outside } from "../approval/outside.ts";
import { policyToSatisfy } from "../approval/policy.ts";
import type { ActionRow, SignedDecision } from "../approval/rows.ts";
import type { ConnectionRow } from "../connection/accounts.ts";
import { type Allowed, checkGrant, checkHours, checkLimits, type Used } from "../consent/check.ts";
import type { ConsentRow } from "../consent/consents.ts";
import type { TaskRow } from "../tasks/tasks.ts";

export type CrossingProblem =
  /** Who has to decide was tightened since: the approval that there is does not do any more (APR-3). */
  | { readonly kind: "policy_tightened" }
  /** Material terms are not the approved ones: a new record and decision are needed (APR-4). */
  | { readonly kind: "terms_changed" }
  /** The grant, a limit, the approval or a time no longer stands: the task stops, nothing was submitted. */
  | { readonly kind: "stopped"; readonly event: "denied" | "expired"; readonly reason: Reason }
  | { readonly kind: "sign_in" }
  /** The store was restored, and what the lost one did is not known yet (STA-8). */
  | { readonly kind: "read_back_first" }
  /** Another worker has the task; this one may only observe. */
  | { readonly kind: "lost_lease" };

/** Everything that decides a crossing, read inside the boundary transaction, but for what the worker brings itself. */
export interface CrossingFacts {
  readonly now: number;
  readonly operation: CommitOperation;
  readonly parameters: JsonObject;
  /** The task as this worker claimed it, and as it stands. */
  readonly claimed: Pick<TaskRow, "version" | "fence">;
  readonly task: Pick<
    TaskRow,
    | "task_id"
    | "account_ref"
    | "version"
    | "fence"
    | "lease_owner"
    | "lease_until"
    | "state"
    | "submitted"
    | "request_expires_at"
  >;
  /** Some task of a restored store has to be read back before this one may commit. */
  readonly readBackFirst: boolean;
  readonly consent: ConsentRow | undefined;
  /** What the grant has been used for in each period that it limits. */
  readonly used: Used;
  readonly action: Pick<ActionRow, "action_id" | "status" | "digest" | "expires_at"> | undefined;
  /** The decision as it was signed; none where nobody had to decide. */
  readonly approval: SignedDecision | undefined;
  /** The policy in force now. */
  readonly policy: ApprovalPolicy;
  /** What the authority that approved says now. */
  readonly outside: Outside;
  readonly connection: Pick<ConnectionRow, "state"> | undefined;
  /** The record that this worker acts on, with its digest and the personal text that was approved with it. */
  readonly record: ActionRecord;
  readonly digest: string;
  readonly personal: Readonly<Record<string, string>>;
  /** What stands at the site now. */
  readonly observed: Observed<unknown>;
}

export interface MayCross {
  readonly allowed: Allowed;
  /** The terms as observed now, validated. */
  readonly terms: JsonObject;
  /** What the grant is used for by crossing. */
  readonly act: Act;
}

/**
 * May this commit leave, now (APR-5)? Pure: the boundary asks it inside its transaction, the explorer and the
 * simulator ask the same function. The order is fixed: whose turn it is, then what the person allows, then what they
 * decided, then what the site shows.
 */
export function judgeCrossing(facts: CrossingFacts): Result<MayCross, CrossingProblem> {
  if (!holdsTurn(facts)) return err({ kind: "lost_lease" });
  if (facts.readBackFirst) return err({ kind: "read_back_first" });
  const allowed = judgeGrant(facts);
  if (!allowed.ok) return allowed;
  const decided = judgeDecision(facts);
  if (!decided.ok) return decided;
  if (facts.connection?.state !== "connected") return err({ kind: "sign_in" });
  const terms = judgeTerms(facts);
  if (!terms.ok) return terms;
  const act = observedAct(facts.operation, terms.value);
  const fits = checkLimits(allowed.value.limits, act, facts.used);
  if (!fits.ok) return err({ kind: "stopped", event: "denied", reason: fits.reason });
  return ok({ allowed: allowed.value, terms: terms.value, act });
}

/** The lease is this worker's, it has not run out, and nobody moved the task meanwhile (STA-2). */
function holdsTurn({ task, claimed, now }: CrossingFacts): boolean {
  const leased = task.lease_owner !== null && task.lease_until !== null && task.lease_until > now;
  return (
    leased &&
    task.fence === claimed.fence &&
    task.version === claimed.version &&
    task.state === "executing" &&
    task.submitted === 0
  );
}

function judgeGrant({ consent, task, operation, record, now }: CrossingFacts): Result<Allowed, CrossingProblem> {
  const allowed = checkGrant(consent, { accountRef: task.account_ref, operation }, now);
  if (!allowed.ok) return err({ kind: "stopped", event: "denied", reason: allowed.reason });
  const inHours = checkHours(allowed.value.limits, now);
  if (!inHours.ok) return err({ kind: "stopped", event: "denied", reason: inHours.reason });
  if (!allowed.value.routes.includes(record.route.kind))
    return err({ kind: "stopped", event: "denied", reason: "route_not_granted" });
  if (now >= task.request_expires_at) return err({ kind: "stopped", event: "expired", reason: "request_expired" });
  return allowed;
}

/**
 * The decision names this very record: task, operation and terms by its digest, and the policy that stands in it. Nothing
 * else can spend it (U18), and it has to satisfy both that policy and the one in force now (APR-3, APR-5).
 */
function judgeDecision(facts: CrossingFacts): Result<undefined, CrossingProblem> {
  const { action, approval, policy, outside, record, digest, task, now } = facts;
  const unasked = policy === "none" && approval === undefined && recordedPolicy(record.limits) === "none";
  if (action?.status !== "approved" || (approval !== undefined && approval.decision !== "approved"))
    return err({ kind: "stopped", event: "denied", reason: "refused_by_holder" });
  if (action.action_id !== record.action_id || action.digest !== digest || record.task_id !== task.task_id)
    return err({ kind: "terms_changed" });
  if (approval !== undefined && !isOf(approval, facts)) return err({ kind: "terms_changed" });
  if (!unasked && (approval === undefined || !satisfiesPolicy(policyToSatisfy(policy, record), approval.method)))
    return err({ kind: "policy_tightened" });
  if (quoteEnded(facts)) return err({ kind: "terms_changed" });
  const recordExpiry = parseInstant(record.expires_at);
  if (!recordExpiry.ok || now >= recordExpiry.value || now >= action.expires_at)
    return err(unasked ? { kind: "terms_changed" } : { kind: "stopped", event: "expired", reason: "approval_expired" });
  if (approval?.method === "authority" && outside.kind !== "stands")
    return err({
      kind: "stopped",
      event: "denied",
      reason: outside.kind === "refused" ? outside.reason : "evidence_refused",
    });
  return ok(undefined);
}

function isOf(approval: SignedDecision, { action, digest, task }: CrossingFacts): boolean {
  return (
    approval.actionId === action?.action_id && approval.actionDigest === digest && approval.taskId === task.task_id
  );
}

/** The site stood by the approved terms until then: whatever it shows now is put to the person anew (U29). */
function quoteEnded({ operation, record, now }: CrossingFacts): boolean {
  const { validUntil } = operation.meaning;
  const value = validUntil === undefined ? undefined : record.terms[validUntil];
  if (typeof value !== "string") return false;
  const ends = parseInstant(value);
  return !ends.ok || now >= ends.value;
}

function judgeTerms(facts: CrossingFacts): Result<JsonObject, CrossingProblem> {
  const { operation, parameters, record, observed } = facts;
  const fresh = operation.terms.safeParse(observed.terms);
  if (!fresh.success || operation.contradictions(parameters, fresh.data).length > 0)
    return err({ kind: "terms_changed" });
  if (sumsThatDisagree(operation.meaning, fresh.data).length > 0) return err({ kind: "terms_changed" });
  const compared = compareTerms(operation.meaning, record.terms as JsonObject, fresh.data);
  const personal = comparePersonal(operation.meaning, facts.personal, observed.personal ?? {});
  return compared.holds && personal.length === 0 ? ok(fresh.data) : err({ kind: "terms_changed" });
}
