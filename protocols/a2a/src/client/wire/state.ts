/** The states of an A2A task by their names on the wire; anything else is no state (a2a.md section 5). */
export const TASK_STATES = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export function isTaskState(value: unknown): value is TaskState {
  return TASK_STATES.some((state) => state === value);
}

/** Still at work: the agent may come to another state by itself, soon. */
export function isWorking(state: TaskState): boolean {
  return state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING";
}

/** `COMPLETED`, as bindings name it. */
export function shortState(state: TaskState): string {
  return state.slice("TASK_STATE_".length);
}
