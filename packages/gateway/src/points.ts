/**
 * The named moments between two durable steps, in the order in which a commit passes them. Nothing is decided at one:
 * the crash proofs stop the process there, the simulator lets faults happen there.
 */
export const POINTS = [
  "task.claimed",
  "prepare.before",
  "prepare.frozen",
  "decision.before_commit",
  "decision.committed",
  "commit.before_hold",
  "commit.held",
  "boundary.before",
  "boundary.committed",
  "send.before",
  "send.after",
  "verification.before_send",
  "verification.after_send",
  "outcome.before_commit",
  "outcome.committed",
  "reconcile.before",
  "reconcile.read",
  "receipt.before_sign",
  "receipt.signed",
  "receipt.logged",
] as const;

/** Moments of a message on its way to the person; a gateway without a channel never comes there. */
export const NOTICE_POINTS = ["notice.before_send", "notice.after_send"] as const;

/** Moments of a message on its way to an agent's receiver; without a receiver nothing comes there. */
export const TASK_EVENT_POINTS = ["task_event.before_send", "task_event.after_send"] as const;

export type Point = (typeof POINTS)[number] | (typeof NOTICE_POINTS)[number] | (typeof TASK_EVENT_POINTS)[number];
