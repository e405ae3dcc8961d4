/** Every limit of the client. Times are milliseconds. */

/** Until the head of an answer has come. */
export const ANSWER_MS = 20_000;
export const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** How often, and for how long in all, a call that may be repeated is sent before the caller is told. */
export const SENDINGS_MAX = 6;
export const PATIENCE_MS = 30_000;
export const PAUSE_FIRST_MS = 200;
export const PAUSE_CAP_MS = 5_000;
/** One wait, unless the caller says otherwise, and at most. */
export const WAIT_MS = 60_000;
export const WAIT_MS_MAX = 24 * 3_600_000;
/** The gateway says every 15 s that it is there; a stream that says nothing for so long is dead. */
export const STREAM_QUIET_MS = 45_000;
export const STREAM_LINE_CHARS_MAX = 64 * 1024;
/** An access token is renewed this long before its end. */
export const RENEW_BEFORE_MS = 20_000;
/** Ids of webhooks that the built-in memory keeps. */
export const SEEN_IDS_MAX = 100_000;
