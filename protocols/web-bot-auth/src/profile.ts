/**
 * The revision of the draft that is spoken. The two differ in what a member of `Signature-Agent` means, and no member
 * satisfies both.
 *
 * - `ietf-00`: draft-ietf-webbotauth-httpsig-protocol-00. A member names an origin, a JWK Set or a card, by its `type`.
 * - `ietf-01-direct`: the editors' copy after it. A member is the URL of the JWK Set itself and has no parameters.
 *
 * The default is `ietf-00`: it is the one that is published; whether the other was ever submitted is not confirmed, and
 * a change that breaks every deployed signer is not taken up on a guess.
 */
export type DraftProfile = "ietf-00" | "ietf-01-direct";

export const DEFAULT_PROFILE: DraftProfile = "ietf-00";
export const DRAFT_VERSION = "draft-ietf-webbotauth-httpsig-protocol-00";

/** The tag of request signatures. */
export const TAG = "web-bot-auth";
/** The tag of a directory's own signature. */
export const DIRECTORY_TAG = "http-message-signatures-directory";

export const DIRECTORY_PATH = "/.well-known/http-message-signatures-directory";
export const DIRECTORY_MEDIA_TYPE = "application/http-message-signatures-directory+json";

/**
 * Whether plain HTTP counts at all. `loopback`: for worlds on one machine, where no certificate is; addresses of this
 * machine are then taken as if they were `https`, and nothing else is.
 */
export type PlainHttp = "refused" | "loopback";
