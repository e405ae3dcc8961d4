/** Every limit of this package. An answer of a site's API, in bytes and in levels of JSON. */
export const ANSWER_JSON_BYTES_MAX = 2 * 1024 * 1024;
export const ANSWER_JSON_DEPTH_MAX = 24;
/** A token is renewed when it ends sooner than this; one that a commit is held with lasts longer than the boundary takes. */
export const TOKEN_SPARE_MS = 20_000;
export const TOKEN_SPARE_COMMIT_MS = 2 * 60_000;
/** While one process renews, the others wait; one that died is waited for no longer than this. */
export const RENEW_TURN_MS = 30_000;
export const RENEW_LOOK_MS = 100;
/** Longest life of a token that is believed, whatever the site says. */
export const TOKEN_LIFE_MS_MAX = 366 * 24 * 60 * 60_000;
export const TOKEN_CHARS_MAX = 16 * 1024;
/** A key of a site, as a person pastes it. */
export const KEY_CHARS_MIN = 8;
export const KEY_CHARS_MAX = 512;
/** Browsers take no longer cookie (RFC 6265bis). */
export const COOKIE_CHARS_MAX = 4096;
/** A cookie whose end moves by less than this is not kept anew. */
export const COOKIE_PROLONGED_MS = 5 * 60_000;
