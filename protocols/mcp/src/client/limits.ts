/** Every limit of the client. A listing of an upstream server, in bytes, levels and pages. */
export const LIST_BYTES_MAX = 2 * 1024 * 1024;
export const LIST_PAGES_MAX = 20;
/** What one call may answer; more is no answer. */
export const RESULT_BYTES_MAX = 512 * 1024;
export const JSON_DEPTH_MAX = 24;
/** Events of one answer that comes as a stream. */
export const EVENTS_MAX = 1_000;
/** How long one request may take; the way out has its own, shorter one. */
export const REQUEST_MS = 90_000;
/** How long a call may stand held: the observation and the boundary come in between. */
export const HELD_MS = 10 * 60_000;
/** How often a call that changes nothing is made again when no whole answer came. */
export const READ_TRIES = 2;
/** How long it is taken for granted that a server speaks the older revision only. */
export const ERA_KEPT_MS = 10 * 60_000;
/** A token that ends sooner is renewed before it is used; before a commit, sooner still. */
export const TOKEN_SPARE_MS = 30_000;
export const TOKEN_SPARE_COMMIT_MS = 3 * 60_000;
/** While one process renews, the others wait; one that died is waited for no longer than this. */
export const RENEW_TURN_MS = 30_000;
export const RENEW_LOOK_MS = 100;
/** Scopes that a server may ask for in a challenge, together. */
export const SCOPE_CHARS_MAX = 1_000;
/** Saying good-bye to a session of the older revision. */
export const GOODBYE_MS = 2_000;
