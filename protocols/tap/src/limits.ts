/** Every limit of this package, in one place. */

/** At most 8 minutes between `created` and `expires`; clocks may differ, and do not widen it. */
export const WINDOW_MAX_S = 480;
export const SKEW_S = 30;
export const SIGNED_FOR_S = 120;
export const CANDIDATES_MAX = 4;

export const BODY_MAX_BYTES = 64 * 1024;
export const KEYS_MAX = 64;
/** Keys of a fetched set are kept no longer than this. */
export const KEYS_FRESH_MAX_MS = 60 * 60 * 1000;
export const ID_TOKEN_MAX_CHARS = 8 * 1024;
