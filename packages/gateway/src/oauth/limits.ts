/** Times of the authorization server, in seconds as OAuth counts them. */
export const ACCESS_TOKEN_SECONDS = 300;
/** A refresh token that is not used for so long is gone; each use makes a new one. */
export const REFRESH_TOKEN_SECONDS = 90 * 86_400;
/** Longest life of what a person accepted once; then the agent asks again. */
export const OAUTH_GRANT_SECONDS = 366 * 86_400;
export const AUTHORIZATION_CODE_SECONDS = 60;
export const INTERACTION_SECONDS = 15 * 60;
export const SESSION_SECONDS = 12 * 3_600;

export const SWEEP_EVERY_MS = 10 * 60_000;
/** A start within this time before a signing key's end makes its successor. */
export const KEY_RENEW_BEFORE_MS = 90 * 86_400_000;
export const AUTHORIZATION_HEADER_CHARS_MAX = 4_096;
export const COOKIE_KEY_BYTES = 32;
