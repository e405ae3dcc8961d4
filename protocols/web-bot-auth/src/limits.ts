/** Every limit of this package, in one place. A stranger sends, names or serves what they bound. */

/** `Signature`, `Signature-Input`, `Signature-Agent`, each with all its occurrences joined. */
export const FIELD_MAX_CHARS = 8 * 1024;
/** Signatures of this protocol in one message. */
export const CANDIDATES_MAX = 4;
/** Signatures of any kind in one message. */
export const SIGNATURES_MAX = 16;
export const COMPONENTS_MAX = 32;
/** A nonce is opaque; what is longer is no nonce. */
export const NONCE_MAX_CHARS = 256;
export const URL_MAX_CHARS = 2048;
export const COVERED_VALUE_MAX_CHARS = 16 * 1024;

/** Draft -00 recommends at most 24 hours between `created` and `expires`. */
export const WINDOW_MAX_S = 24 * 60 * 60;
export const SKEW_S = 30;

export const SIGNED_FOR_S = 60;
export const SIGNED_FOR_MAX_S = 300;
export const NONCE_BYTES = 32;

/** RSA keys of a directory: below is weak, above is a way to make a verifier work. */
export const RSA_MIN_BITS = 2048;
export const RSA_MAX_BITS = 4096;
export const RSA_EXPONENT_MAX_BYTES = 4;

export const DOCUMENT_MAX_BYTES = 64 * 1024;
export const DOCUMENT_KEYS_MAX = 32;
export const FETCH_MS = 5_000;
export const FETCHES_PER_HOST_MAX = 4;
export const FETCHES_MAX = 32;

export const FRESH_MIN_MS = 60 * 1000;
export const FRESH_MAX_MS = 24 * 60 * 60 * 1000;
export const FRESH_DEFAULT_MS = 60 * 60 * 1000;
/** How long keys outlive their freshness while their directory cannot be reached. */
export const STALE_MAX_MS = 24 * 60 * 60 * 1000;
/** Failures are remembered from the first bound, doubled each time, to the second. */
export const RETRY_MIN_MS = 10 * 1000;
export const RETRY_MAX_MS = 5 * 60 * 1000;
/** A fresh directory without the key is asked again no more often than this. */
export const UNKNOWN_KEY_REFETCH_MS = 60 * 1000;
export const DIRECTORIES_MAX = 256;

export const DIRECTORY_MAX_AGE_S = 60 * 60;
export const DIRECTORY_PROOF_SPARE_S = 300;

export const NONCES_MAX = 100_000;
export const NONCES_PER_IDENTIFIER_MAX = 10_000;
/** How long a count of all that a store keeps is taken for true. */
export const NONCES_COUNTED_MS = 10_000;

export const REGISTRY_MAX_BYTES = 256 * 1024;
export const REGISTRY_ENTRIES_MAX = 1000;
