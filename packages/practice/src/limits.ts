/** Every limit of the practice shop: bytes, counts and waits (house rule 5). */

const MINUTE_MS = 60_000;

/** Largest request body the shop or its control port reads. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Life of a browser session from its sign-in; it does not slide. */
export const SESSION_MS = 24 * 60 * MINUTE_MS;
/** Life of a bearer token of the shop's API from its sign-in: a watch looks for longer than an hour. */
export const SHOP_TOKEN_MS = 24 * 60 * MINUTE_MS;
/** Life of an API bearer token from its sign-in. */
export const API_TOKEN_MS = 60 * MINUTE_MS;
/** How long a person may take between the password and the one-time code. */
export const SECOND_FACTOR_MS = 5 * MINUTE_MS;
/** How long a quote of the API can be ordered. */
export const QUOTE_MS = 15 * MINUTE_MS;
/** How long a cancellation preview of the API can be confirmed. */
export const PREVIEW_MS = 15 * MINUTE_MS;
/** Failed sign-ins (password and code together) within the window before the shop answers 429. */
export const SIGN_IN_FAILURES_MAX = 5;
/** The window in which failures are counted, and the wait after too many. */
export const SIGN_IN_FAILURE_WINDOW_MS = 15 * MINUTE_MS;
/** Largest quantity of one line. */
export const LINE_QUANTITY_MAX = 99;
/** Longest order note in UTF-16 units. */
export const NOTE_LENGTH_MAX = 500;
/** Longest name that an API client may give its own request to cancel an order. */
export const CLIENT_REFERENCE_LENGTH_MAX = 100;
/** Longest Idempotency-Key the API takes. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Requests kept in the assertion log; the oldest leave first. */
export const REQUEST_LOG_MAX = 2_000;
/** Calls kept with who sent them, where the site asks; the oldest leave first. */
export const CALLERS_SEEN_MAX = 500;
/** Entries kept in any one expiring table (sessions, tokens, quotes); the oldest leave first. */
export const TABLE_ENTRIES_MAX = 5_000;
/** Longest wait the `delay` switch accepts. */
export const DELAY_MS_MAX = 10 * MINUTE_MS;
/** How long the bank waits for its customer's code. */
export const VERIFICATION_MS = 10 * MINUTE_MS;
/** Wrong codes after which the bank declines. */
export const VERIFICATION_CODES_MAX = 3;
/** Life of an access token of the bank's, of the refresh token beside it, and of the code that brings the first ones. */
export const ACCESS_TOKEN_MS = 5 * MINUTE_MS;
export const REFRESH_TOKEN_MS = 90 * 24 * 60 * MINUTE_MS;
export const AUTHORIZATION_CODE_MS = MINUTE_MS;
/** Tokens of the bank's that are remembered for whoever looks for leaks. */
export const ISSUED_MAX = 1_000;
/** How long a payment that was begun on the bank's pages can be confirmed. */
export const DRAFT_MS = 15 * MINUTE_MS;
/** How long the code of an e-mail can be typed in, and how often it may be wrong before it is worth nothing. */
export const EMAIL_CODE_MS = 10 * MINUTE_MS;
export const EMAIL_CODE_TRIES_MAX = 3;
/** Mails kept in the practice person's mailbox; the oldest leave first. */
export const MAILBOX_MAX = 50;
/** How long the clinic waits for somebody who asks for nothing, and how long a program is signed in there at most. */
export const IDLE_MS = 15 * MINUTE_MS;
export const API_LIFE_MS = 8 * 60 * MINUTE_MS;
/** How long a question on the person's phone can be answered. */
export const PUSH_MS = 2 * MINUTE_MS;
