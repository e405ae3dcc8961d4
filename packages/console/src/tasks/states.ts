import { isTerminal, type TaskState } from "@countersign/profile";

/** Where the account holder can still say no. */
export function mayWithdraw(state: TaskState): boolean {
  return !isTerminal(state) && state !== "outcome_unknown";
}

/** Not at its end: something will still happen, or the person is waited for. */
export function isOpen(state: TaskState): boolean {
  return !isTerminal(state);
}
