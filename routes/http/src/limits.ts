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
