/** Every limit of this run. Times are milliseconds. */
export const gatewayReadyMs = 60_000;
export const gatewayEndsMs = 15_000;
/** A step of the person or of a plain page. */
export const stepMs = 30_000;
/** From a submission to the end of its task. */
export const taskMs = 90_000;
export const lookEveryMs = 250;
/** The whole run; what hangs is ended. */
export const runMs = 15 * 60_000;
/** Between keys, as of somebody who types. */
export const typingMs = 15;
export const tabsMax = 40;
