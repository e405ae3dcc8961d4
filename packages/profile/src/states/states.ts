/** The task states of the profile (STA-1). */
export const TASK_STATES = [
  "received",
  "validating",
  "authentication_required",
  "approval_required",
  "executing",
  "succeeded",
  "outcome_unknown",
  "denied",
  "expired",
  "failed",
  "cancelled",
] as const;

export type TaskState = (typeof TASK_STATES)[number];

export const TERMINAL_STATES = [
  "succeeded",
  "denied",
  "expired",
  "failed",
  "cancelled",
] as const satisfies readonly TaskState[];

export function isTerminal(state: TaskState): boolean {
  return (TERMINAL_STATES as readonly TaskState[]).includes(state);
}

/** Where a task stands towards the boundary: `submitted` means a submission row exists and something may have left. */
export type Side = "before" | "submitted";

type Targets = Readonly<Record<TaskState, readonly TaskState[]>>;

/** Transitions while nothing can have been submitted. */
const BEFORE: Targets = {
  received: ["validating", "denied", "expired", "cancelled"],
  validating: ["authentication_required", "approval_required", "executing", "denied", "expired", "failed", "cancelled"],
  authentication_required: ["validating", "denied", "expired", "failed", "cancelled"],
  approval_required: ["executing", "approval_required", "denied", "expired", "failed", "cancelled"],
  executing: [
    "executing",
    "succeeded",
    "approval_required",
    "authentication_required",
    "denied",
    "expired",
    "failed",
    "cancelled",
  ],
  succeeded: [],
  outcome_unknown: [],
  denied: [],
  expired: [],
  failed: [],
  cancelled: [],
};

/** Transitions once the submission row is written: only what the site says, or that it has not said (STA-3, STA-4). */
const SUBMITTED: Targets = {
  received: [],
  validating: [],
  authentication_required: [],
  approval_required: [],
  executing: ["succeeded", "failed", "outcome_unknown"],
  succeeded: [],
  outcome_unknown: ["outcome_unknown", "succeeded", "failed"],
  denied: [],
  expired: [],
  failed: [],
  cancelled: [],
};

/** The whole table as data; the docs are drawn from it and the machine is checked against it. */
export const TRANSITIONS: Readonly<Record<Side, Targets>> = { before: BEFORE, submitted: SUBMITTED };

export function mayMove(side: Side, from: TaskState, to: TaskState): boolean {
  return TRANSITIONS[side][from].includes(to);
}

/** What the agent should do next, in one sentence, for each state (STA-1). */
export const NEXT_STEP: Readonly<Record<TaskState, string>> = {
  received: "Wait; the request is being checked.",
  validating: "Wait; the terms are being read at the destination.",
  authentication_required: "Ask the account holder to sign in at the destination in the trusted interface; then poll.",
  approval_required: "Ask the account holder to decide in the trusted interface; then poll.",
  executing: "Wait; do not submit this wish again.",
  succeeded: "Done. Read the result and the receipt.",
  outcome_unknown: "It may have happened. Do not submit this wish again; the destination is being read back.",
  denied: "Stopped before commitment. Read the reason.",
  expired: "Stopped before commitment: a time limit passed. Make a new request if it is still wanted.",
  failed: "Not done. Read the reason.",
  cancelled: "Withdrawn before commitment.",
};

/** Instead, while an equal wish is unresolved and this one waits for it (STA-7). */
export const NEXT_STEP_HELD = "An equal wish is unresolved (held_by); this one goes on once it is settled.";

/** Instead, while a watch rests between two looks. */
export const NEXT_STEP_WATCHING =
  "It is looked at again by itself until it is so or the watch ends, and then reported once. Do not ask for it again.";

/** Instead, while the site has the submission and waits for the account holder (MFA-6). */
export const NEXT_STEP_VERIFYING =
  "Submitted; the destination asks the account holder to verify it in the trusted interface. Do not submit this wish again; poll.";
