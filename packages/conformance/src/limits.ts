/** Every limit of the suite. Times are milliseconds; no wait of the suite is longer than one of these. */
export const ANSWER_MS = 30_000;
/** A task that moves by itself: validating, executing, reading back after one lost answer. */
export const SETTLE_MS = 45_000;
/** A read-back that has failed a few times waits longer each time. */
export const READ_BACK_MS = 120_000;
/** From the account holder's page of an approval to the decision. */
export const APPROVAL_MS = 30_000;
/** A receipt is signed after the task has moved. */
export const RECEIPT_MS = 30_000;
export const POLL_FIRST_MS = 50;
export const POLL_CAP_MS = 1_000;
/** The whole of one case; what takes longer has failed. */
export const CASE_MS = 300_000;
export const CLEAN_UP_MS = 60_000;
export const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** How many tries of a GET whose connection broke; other methods are never repeated by the transport. */
export const GET_TRIES = 3;
/** Evidence in a report is for reading: longer values are cut, and say so. */
export const EVIDENCE_CHARS_MAX = 600;
/** How long the suite obeys a gateway that asks it to slow down, each time. */
export const SLOW_DOWN_MS_MAX = 70_000;
export const SLOW_DOWN_TIMES = 3;
