import type { TaskState } from "@countersign/profile";

export const TASK_STATE_NAMES = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const;
export type TaskStateName = (typeof TASK_STATE_NAMES)[number];

export function isTaskStateName(text: string): text is TaskStateName {
  return TASK_STATE_NAMES.some((name) => name === text);
}

/** A state of the gateway; `verifying` is `executing` while the site waits for the account holder (MFA-6). */
export type ShownState = TaskState | "verifying";

/**
 * The eight states of the protocol are a coarse view (a2a.md §5). Approval and sign-in are AUTH_REQUIRED: INPUT_REQUIRED
 * waits for a message, and no message decides anything. An unknown outcome is WORKING: it may still become either, and
 * FAILED could not be corrected and would invite another try.
 */
export const STATE_NAME: Readonly<Record<ShownState, TaskStateName>> = {
  received: "TASK_STATE_SUBMITTED",
  validating: "TASK_STATE_WORKING",
  authentication_required: "TASK_STATE_AUTH_REQUIRED",
  approval_required: "TASK_STATE_AUTH_REQUIRED",
  executing: "TASK_STATE_WORKING",
  verifying: "TASK_STATE_AUTH_REQUIRED",
  succeeded: "TASK_STATE_COMPLETED",
  outcome_unknown: "TASK_STATE_WORKING",
  denied: "TASK_STATE_REJECTED",
  expired: "TASK_STATE_REJECTED",
  failed: "TASK_STATE_FAILED",
  cancelled: "TASK_STATE_CANCELED",
};

/** The states that a client means when it asks for one of the protocol's. */
export function statesOf(name: TaskStateName): readonly ShownState[] {
  return (Object.keys(STATE_NAME) as ShownState[]).filter((state) => STATE_NAME[state] === name);
}
