/** Every limit of the profile, in one place. Bytes are UTF-8 bytes, times are milliseconds. */
export const PROFILE_ID = "sophtron.agentic-web-execution/0.1";
export const REQUEST_BYTES_MAX = 64 * 1024;
export const REQUEST_DEPTH_MAX = 12;
export const RECORD_BYTES_MAX = 16 * 1024;
export const ID_CHARS_MAX = 128;
export const SITE_TEXT_BYTES_MAX = 4 * 1024;
export const LINES_MAX = 100;
export const QUANTITY_MAX = 10_000;
export const ROWS_MAX = 500;
export const ROWS_DEFAULT = 50;
