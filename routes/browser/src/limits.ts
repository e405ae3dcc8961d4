/** Every limit of this package, in one place. */

/** A person's browser is stopped when nothing has used it for this long. */
export const BROWSER_IDLE_MS = 5 * 60_000;
export const BROWSER_LAUNCH_MS = 30_000;
/** Closing a context or a browser is waited for this long; the process is then left to the kill at its end. */
export const CLOSE_MS = 5_000;
/** Tasks and sign-ins of one person at once; each costs 110 to 170 MiB. */
export const SESSIONS_PER_PERSON = 4;

export const NAVIGATION_MS = 30_000;
/** What Playwright waits for an element when an adapter names no time of its own. */
export const ACTION_MS = 15_000;
/** How long the committing request may take to appear after the press. */
export const HOLD_MS = 15_000;
export const VIEWPORT = { width: 1280, height: 800 } as const;

/** Kept session state: cookies, local storage and IndexedDB of one person at one destination. */
export const MATERIAL_MAX_CHARS = 4 * 1024 * 1024;
/** Cookie values shorter than this are settings (`en`, `USD`), not secrets, and would match honest results. */
export const SECRET_COOKIE_MIN_CHARS = 8;
/** A readable cookie or a stored value counts as a token from this length on. */
export const SECRET_TOKEN_MIN_CHARS = 20;
export const SECRETS_MAX = 500;

export const PROXY_CONNECT_MS = 15_000;
/** Hosts a proxy remembers having refused. */
export const PROXY_REFUSED_HOSTS_MAX = 100;

/** Chromium itself stops after three frames without an acknowledgement. */
export const VIEW_FRAMES_IN_FLIGHT_MAX = 3;
/** Frames are acknowledged no faster than this: an animation at 60 per second costs a whole core. */
export const VIEW_FRAME_MIN_MS = 40;
/** No frame this long after an input or a page change: the screencast is started again. */
export const VIEW_FRAME_WAIT_MS = 1_000;
/** At twice the size: 45 dB beside the exact picture of a page of text, and 15 % more bytes than at 70. */
export const VIEW_JPEG_QUALITY = 80;
export const VIEW_SCALE = 2;
export const VIEW_SIZE_MIN = { width: 280, height: 280 } as const;
export const VIEW_SIZE_MAX = { width: 1920, height: 1600 } as const;
/** `confirm()` blocks the mouse call that caused it until it is answered: no input call may wait longer than this. */
export const VIEW_INPUT_MS = 2_000;
/** How often going back is tried while the page is between two. */
export const VIEW_INPUT_TRIES_MAX = 30;
export const VIEW_INPUTS_WAITING_MAX = 500;
export const VIEW_TEXT_MAX_CHARS = 10_000;
export const VIEW_PAGES_MAX = 5;
/** An unanswered dialog is dismissed after this time, so that the page does not stand still for ever. */
export const VIEW_DIALOG_MS = 2 * 60_000;
export const VIEW_DIALOG_TEXT_MAX_CHARS = 500;
export const VIEW_TITLE_MAX_CHARS = 80;
/** A body longer than this is no sign-in. */
export const SIGN_IN_BODY_MAX_BYTES = 64 * 1024;
/** A request waits no longer than this for the page to say whether it carries a password. */
export const TRIED_LOOK_MS = 500;
