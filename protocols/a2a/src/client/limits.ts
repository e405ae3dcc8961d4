/** Every limit of the client. Times are milliseconds. */

export const ANSWER_BYTES_MAX = 2 * 1024 * 1024;
export const ANSWER_DEPTH_MAX = 32;
/** How long a judged card is gone by before it is fetched again. */
export const CARD_FRESH_MS = 5 * 60_000;
/** A task that the agent has not finished is asked for again after so long, growing, and for so long. */
export const POLL_FIRST_MS = 250;
export const POLL_CAP_MS = 4_000;
export const POLL_MS_MAX = 60_000;
export const IDENTIFIER_CHARS_MAX = 512;
/** A sentence or an address of the agent's, shown to the person. */
export const STATUS_TEXT_CHARS_MAX = 1_000;
export const PARTS_MAX = 200;
