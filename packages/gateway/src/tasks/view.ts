import {
  isTerminal,
  NEXT_STEP,
  NEXT_STEP_HELD,
  NEXT_STEP_VERIFYING,
  NEXT_STEP_WATCHING,
  type Reason,
  type TaskEventView,
  type TaskView,
} from "@countersign/profile";
import { formatInstant, type Instant } from "@countersign/wire";
import { calledByView, readCalledBy } from "../calling-identity/called-by.ts";
import { POLL_MS } from "../limits.ts";
import { restsBetweenLooks, watchView } from "../watch/view.ts";
import type { TaskEventRow, TaskRow } from "./tasks.ts";

/** What a task's view points to, as far as this agent may know of it. */
export interface TaskRefs {
  readonly receiptRef: string | undefined;
  /** The agent's own equal task that this one waits for. */
  readonly twinRef: string | undefined;
  /** The record that waits for a decision. */
  readonly decision: { readonly digest: string; readonly expiresAt: number } | undefined;
}

/** A task as an agent sees it: references and states, nothing else. */
export function taskBody(task: TaskRow, refs: TaskRefs): TaskView {
  const held = task.held_by !== null && !isTerminal(task.state);
  const reason = held ? ("twin_unresolved" satisfies Reason) : task.reason;
  const calledBy = readCalledBy(task.called_by);
  const watch = watchView(task);
  return {
    task_id: task.task_id,
    request_id: task.request_id,
    state: task.state,
    revision: task.version,
    operation: task.operation,
    account_ref: task.account_ref,
    ...(reason === null ? {} : { reason }),
    ...(held && refs.twinRef !== undefined ? { held_by: refs.twinRef } : {}),
    ...(task.approval_ref === null ? {} : { approval_ref: task.approval_ref }),
    ...(refs.decision === undefined
      ? {}
      : {
          decision: {
            action_digest: refs.decision.digest,
            expires_at: formatInstant(refs.decision.expiresAt as Instant),
          },
        }),
    ...(task.continuation_ref === null ? {} : { continuation_ref: task.continuation_ref }),
    ...(watch === undefined ? {} : { watch }),
    next_step: held ? NEXT_STEP_HELD : nextStepOf(task),
    poll_after_ms: pollAfterMs(task),
    ...(calledBy === undefined ? {} : { called_by: calledByView(calledBy) }),
    created_at: formatInstant(task.created_at as Instant),
    updated_at: formatInstant(task.updated_at as Instant),
    ...(task.result === null ? {} : { result_ref: `/v1/tasks/${task.task_id}/result` }),
    ...(refs.receiptRef === undefined ? {} : { receipt_ref: refs.receiptRef }),
  };
}

/** What the state alone would not say. */
export function nextStepOf(task: TaskRow): string {
  if (verifies(task)) return NEXT_STEP_VERIFYING;
  return restsBetweenLooks(task) ? NEXT_STEP_WATCHING : NEXT_STEP[task.state];
}

/** The site has the submission and waits for the person (MFA-6). */
function verifies(task: TaskRow): boolean {
  return task.state === "executing" && task.continuation_ref !== null;
}

function pollAfterMs(task: TaskRow): number {
  if (isTerminal(task.state)) return POLL_MS.done;
  const waitsForPerson =
    task.state === "authentication_required" || task.state === "approval_required" || verifies(task);
  if (waitsForPerson) return POLL_MS.waiting;
  return restsBetweenLooks(task) ? POLL_MS.watching : POLL_MS.working;
}

export function eventBody(event: TaskEventRow): TaskEventView {
  return {
    seq: event.seq,
    at: formatInstant(event.at as Instant),
    state: event.state,
    ...(event.reason === null ? {} : { reason: event.reason }),
    ...(event.step === null ? {} : { step: event.step }),
    ...(event.label === null ? {} : { label: event.label }),
  };
}
