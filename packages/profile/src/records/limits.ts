/** Limits of records and bundles. Bytes are UTF-8 bytes. */

/** A bundle holds an action, up to six signatures and a key set; it is read by people's machines, not by a hot path. */
export const BUNDLE_BYTES_MAX = 512 * 1024;
/** The action keeps its own depth of 8 inside the bundle. */
export const BUNDLE_DEPTH_MAX = 10;
/** Retired keys stay listed, so the set grows for as long as the gateway lives. */
export const KEY_SET_BYTES_MAX = 64 * 1024;
export const KEYS_MAX = 256;
/** One for each change of the log key; a bundle carries the newest. */
export const EARLIER_KEYS_MAX = 8;
/** A display text is drawn from a record of 16 KiB, with labels. */
export const DISCLOSURE_BYTES_MAX = 64 * 1024;
export const DISCLOSURES_MAX = 64;
/** A tree of 2^53 leaves; no path is longer. */
export const PATH_NODES_MAX = 54;
export const EVIDENCE_MAX = 32;
export const FLAGS_MAX = 8;
export const AGENT_CHARS_MAX = 512;
export const NOTE_CHARS_MAX = 500;
/** RFC 8017 allows more; no authenticator makes it, and verifying it costs the reader. */
export const RSA_MODULUS_BYTES_MAX = 512;
export const RSA_MODULUS_BYTES_MIN = 256;
/** WebAuthn level 3 section 7.2 sets none; ours keep a reader from being fed megabytes. */
export const CREDENTIAL_ID_BYTES_MAX = 1023;
export const AUTHENTICATOR_DATA_BYTES_MAX = 4096;
export const CLIENT_DATA_BYTES_MAX = 4096;
export const ASSERTION_SIGNATURE_BYTES_MAX = 1024;
