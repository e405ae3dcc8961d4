/** Every limit of reading foreign cards. */

export const CARD_BYTES_MAX = 256 * 1024;
export const CARD_DEPTH_MAX = 24;
export const INTERFACES_MAX = 16;
export const EXTENSIONS_MAX = 64;
export const SKILLS_MAX = 500;
export const SCHEMES_MAX = 32;
export const REQUIREMENTS_MAX = 32;
export const SIGNATURES_MAX = 8;
/** Keys tried for one signature. */
export const KEYS_MAX = 16;
export const KEY_SET_BYTES_MAX = 64 * 1024;
export const PROTECTED_HEADER_CHARS_MAX = 4_096;
export const URI_CHARS_MAX = 2_048;
/** A member name in a problem's path is cut to so many characters. */
export const PATH_NAME_CHARS_MAX = 64;
