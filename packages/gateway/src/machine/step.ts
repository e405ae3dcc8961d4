import { isTerminal, mayMove, type Reason, type TaskState } from "@countersign/profile";
import { assert, err, ok, type Result } from "@countersign/wire";

/** What the machine knows of a task. Pure data: no clock, no store. */
export interface Machine {
  readonly state: TaskState;
  readonly effect: "read" | "commit";
  /** True once a submission row exists: something may have left the gateway. */
  readonly submitted: boolean;
}

export type MachineEvent =
  | { readonly type: "checks_begun" }
  | { readonly type: "sign_in_needed" }
  | { readonly type: "signed_in" }
  | { readonly type: "terms_frozen" }
  /** Terms were frozen under a policy that asks nobody. */
  | { readonly type: "unasked" }
  | { readonly type: "approved" }
  /** Work begins: a read, or a commit whose approval is live. */
  | { readonly type: "work_begun" }
  /** The submission row is written; from here on time and errors decide nothing (STA-4). */
  | { readonly type: "crossed" }
  | { readonly type: "read_done" }
  | { readonly type: "confirmed" }
  | { readonly type: "rejected"; readonly reason: Reason }
  | { readonly type: "answer_lost" }
  | { readonly type: "denied"; readonly reason: Reason }
  | { readonly type: "expired"; readonly reason: Reason }
  | { readonly type: "failed"; readonly reason: Reason }
  | { readonly type: "cancelled"; readonly reason: Reason };

export interface Transition {
  readonly from: TaskState;
  readonly to: TaskState;
  readonly submitted: boolean;
  readonly reason?: Reason;
}

export type StepProblem = "no_such_transition";

/**
 * The one place where a task's state changes (STA-1). The caller stores the transition in the same transaction in
 * which it compared the task's version.
 */
export function step(task: Machine, event: MachineEvent): Result<Transition, StepProblem> {
  assert(!task.submitted || task.effect === "commit", "only a commit can have been submitted");
  assert(!task.submitted || submittedStates.has(task.state), "a submitted task is executing, unknown, or settled");
  const to = target(task, event);
  if (to === undefined) return err("no_such_transition");
  if (!mayMove(task.submitted ? "submitted" : "before", task.state, to)) return err("no_such_transition");
  const submitted = task.submitted || event.type === "crossed";
  const reason =
    "reason" in event
      ? { reason: event.reason }
      : event.type === "answer_lost"
        ? { reason: "awaiting_confirmation" as const }
        : {};
  assert(to !== "outcome_unknown" || submitted, "only what may have left can be unknown");
  assert(
    !(submitted && (to === "denied" || to === "expired" || to === "cancelled")),
    "a submitted task is never called stopped",
  );
  assert(to !== "succeeded" || submitted || task.effect === "read", "a commit succeeds only through the boundary");
  return ok({ from: task.state, to, submitted, ...reason });
}

const submittedStates: ReadonlySet<TaskState> = new Set(["executing", "outcome_unknown", "succeeded", "failed"]);

function target(task: Machine, event: MachineEvent): TaskState | undefined {
  switch (event.type) {
    case "checks_begun":
      return task.state === "received" ? "validating" : undefined;
    case "signed_in":
      return task.state === "authentication_required" ? "validating" : undefined;
    case "sign_in_needed":
      return task.submitted ? undefined : "authentication_required";
    case "terms_frozen":
      return task.effect === "commit" && task.state !== "received" ? "approval_required" : undefined;
    case "unasked":
      return task.effect === "commit" && !task.submitted && (task.state === "validating" || task.state === "executing")
        ? "executing"
        : undefined;
    case "approved":
      return task.state === "approval_required" ? "executing" : undefined;
    case "work_begun":
      return task.state === "validating" ? "executing" : undefined;
    case "crossed":
      return task.effect === "commit" && task.state === "executing" && !task.submitted ? "executing" : undefined;
    case "read_done":
      return task.effect === "read" && task.state === "executing" ? "succeeded" : undefined;
    case "confirmed":
      return task.submitted ? "succeeded" : undefined;
    case "rejected":
      return task.submitted ? "failed" : undefined;
    case "answer_lost":
      return task.submitted && task.state === "executing" ? "outcome_unknown" : undefined;
    case "failed":
      return task.submitted || isTerminal(task.state) ? undefined : "failed";
    case "denied":
    case "expired":
    case "cancelled":
      return task.submitted || isTerminal(task.state) ? undefined : event.type;
  }
}
