/** One message, as it comes. */
export const BODY_BYTES_MAX = 64 * 1024;
export const BODY_DEPTH_MAX = 20;
export const PARTS_MAX = 16;
export const ID_CHARS_MAX = 128;
/** Messages of a task that are kept for its history, and how large a later one may be. */
export const HISTORY_MAX = 20;
export const LATER_MESSAGE_BYTES_MAX = 8 * 1024;
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 100;
/** How long a blocking send blocks: well under what clients and proxies wait. */
export const BLOCK_MS = 25_000;
/** How long an answer waits for the receipt, which is signed shortly after the end. */
export const RECEIPT_WAIT_MS = 3_000;
/** A stream says at least this often that it lives. */
export const KEEP_ALIVE_MS = 15_000;
export const TOKEN_CHARS_MAX = 512;
export const CREDENTIALS_CHARS_MAX = 4_096;
export const EXTENSIONS_ASKED_MAX = 32;
