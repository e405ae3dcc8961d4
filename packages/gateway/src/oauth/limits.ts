/** Times of the authorization server, in seconds as OAuth counts them. */
export const ACCESS_TOKEN_SECONDS = 300;
/** A refresh token that is not used for so long is gone; each use makes a new one. */
export const REFRESH_TOKEN_SECONDS = 90 * 86_400;
/** Longest life of what a person accepted once; then the agent asks again. */
export const OAUTH_GRANT_SECONDS = 366 * 86_400;
export const AUTHORIZATION_CODE_SECONDS = 60;
export const INTERACTION_SECONDS = 15 * 60;
/** The library makes one for each answer and needs it no longer. */
export const SESSION_SECONDS = 60;

export const SWEEP_EVERY_MS = 10 * 60_000;
/** A start within this time before a signing key's end makes its successor. */
export const KEY_RENEW_BEFORE_MS = 90 * 86_400_000;
export const AUTHORIZATION_HEADER_CHARS_MAX = 4_096;
export const COOKIE_KEY_BYTES = 32;

/** Metadata documents of clients: what one may be, and how often they are fetched. Times are milliseconds from here on. */
export const CLIENT_URL_CHARS_MAX = 512;
export const CLIENT_NAME_CHARS_MAX = 60;
export const CLIENT_DOCUMENT_BYTES_MAX = 5 * 1024;
export const REDIRECT_URIS_MAX = 50;
export const CLIENT_DOCUMENT_MS = 5_000;
/** How long a document counts without another look, whatever its server says. */
export const CLIENT_DOCUMENT_FRESH_MIN_MS = 60_000;
export const CLIENT_DOCUMENT_FRESH_MAX_MS = 24 * 3_600_000;
/** How long it still counts while its server does not answer. */
export const CLIENT_DOCUMENT_STALE_MS = 30 * 24 * 3_600_000;
/** After a try that failed, how long until the next one. */
export const CLIENT_DOCUMENT_AGAIN_MS = 30_000;
/** Fetches of all clients together in a minute, and at the same time: anybody may name an address at the door. */
export const CLIENT_DOCUMENTS_PER_MINUTE = 30;
export const CLIENT_DOCUMENTS_AT_ONCE = 4;
export const CLIENT_DOCUMENT_FAILURES_KEPT = 500;

/** How far from now a proof's own time may be, in seconds; and how long a proof may be. */
export const PROOF_SECONDS = 60;
export const PROOF_CHARS_MAX = 4_096;
export const PROOF_ID_CHARS_MAX = 256;

/** Codes that a person types (RFC 8628): how long they live, and how often a device may ask, in seconds. */
export const DEVICE_CODE_SECONDS = 10 * 60;
export const DEVICE_INTERVAL_SECONDS = 5;
export const DEVICE_TEXT_CHARS_MAX = 200;
/** Codes that one person may type wrongly in the time (milliseconds), and whose tries are remembered. */
export const DEVICE_TRIES_MAX = 10;
export const DEVICE_TRIES_MS = 10 * 60_000;
export const DEVICE_TRIERS_KEPT = 10_000;

/** An outside issuer: how long an answer of it may take, and after how long one that gave none is asked again. */
export const OUTSIDE_ISSUER_MS_MAX = 5_000;
export const OUTSIDE_ISSUER_PAUSE_MS = 30_000;
export const OUTSIDE_CLIENT_CHARS_MAX = 512;
