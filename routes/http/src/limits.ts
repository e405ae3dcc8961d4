/** Every limit of this package. An answer of a site's API, in bytes and in levels of JSON. */
export const ANSWER_JSON_BYTES_MAX = 2 * 1024 * 1024;
export const ANSWER_JSON_DEPTH_MAX = 24;
