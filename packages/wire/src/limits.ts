/** Every limit of this package, in one place. Sizes in bytes of UTF-8 unless the name says otherwise. */

/** Request bodies (decisions.md 5). */
export const JSON_MAX_BYTES = 64 * 1024;
export const JSON_MAX_DEPTH = 32;
/** Records that are digested and signed (approval-evidence.md section 3). */
export const RECORD_MAX_BYTES = 16 * 1024;
export const RECORD_MAX_DEPTH = 8;
/** What a caller may ask for at most: the parser recurses, so the stack sets this. */
export const DEPTH_CEILING = 512;
/** A member name inside a problem's pointer is cut to this many UTF-16 units. */
export const POINTER_NAME_MAX_CHARS = 64;
/** A JWS: header and signature around the payload, each in base64url. */
export const JWS_OVERHEAD_MAX_CHARS = 1024;

export const URL_MAX_CHARS = 8192;
export const AMOUNT_TEXT_MAX_CHARS = 64;
/** 9999-12-31T23:59:59.999Z */
export const INSTANT_MAX_MS = 253_402_300_799_999;
export const PERIOD_MAX_DAYS = 3660;

/** A run of ordinary spaces longer than this is padding, and shown as such. */
export const SPACE_RUN_MAX = 8;
/** More combining marks than this on one base paint over the lines around them. */
export const COMBINING_RUN_MAX = 4;
