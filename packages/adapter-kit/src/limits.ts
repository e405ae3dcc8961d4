/** Every limit of this package. */

/** Requests that one step of an adapter may make before it counts as one that asks without end. */
export const REQUESTS_A_STEP_MAX = 200;
/** Requests that may still be begun after a step was given up, before the step counts as one that does not hear. */
export const REQUESTS_AFTER_ABORT_MAX = 4;
/** How long a given-up step may still run; nobody waits for it but a broken one. */
export const SETTLE_MS = 5_000;
/** How long any step may run at a site that answers. */
export const STEP_MS = 60_000;
/** How long an approval of the checker's records lives. */
export const RECORD_LIFE_MS = 900_000;
/** Amounts of one last screen that are made unreadable, one after the other. */
export const AMOUNTS_TRIED_MAX = 8;
/** Forms that a sign-in may show one after the other. */
export const FORMS_MAX = 6;
/** Recorded exchanges, in bytes of JSON. */
export const RECORDING_BYTES_MAX = 8 * 1024 * 1024;
