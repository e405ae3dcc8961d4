/** Every limit of the practice insurer. */
export const TICKET_MS = 60_000;
/** How long a claim that was begun in the frame can be sent. */
export const DRAFT_MS = 15 * 60_000;
export const DRAFTS_MAX = 200;
export const QUOTE_MS = 15 * 60_000;
/** How long the cookie before works once it was changed. */
export const COOKIE_GRACE_MS = 30_000;
export const ISSUED_MAX = 1_000;
