/** What an agent's asking to stop did (STA-5). */
export const WITHDRAWALS = ["withdrawn", "already_submitted", "already_settled", "being_read_back"] as const;

/** The `type` of a webhook about a task. */
export const TASK_CHANGED = "task.changed";
export const WEBHOOK_URL_CHARS_MAX = 2_048;
/** What stands before the key, in base64, as the Standard Webhooks specification writes a secret. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";
/** How far a message's time may be from the receiver's clock (U53). */
export const WEBHOOK_TOLERANCE_MS = 5 * 60_000;
/** How long after a move its message may still be tried: a receiver remembers ids for so long. */
export const WEBHOOK_LIFE_MS = 24 * 3_600_000;
