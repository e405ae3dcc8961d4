/** Every limit of this run. Times are milliseconds unless the name says otherwise. */
export const demoReadyMs = 120_000;
export const demoEndsMs = 15_000;
/** A step of the person; generous, for a busy machine must not decide what is true. */
export const stepMs = 30_000;
/** From an agent's request to what it waits for. */
export const taskMs = 120_000;
export const lookEveryMs = 200;
/** The whole journey; what hangs is ended. */
export const journeyMs = 15 * 60_000;
/** The tests of the lessons, all together. */
export const lessonsMs = 30 * 60_000;
/** Between keys, as of somebody who types. */
export const typingMs = 25;
/** Until what was typed is in the picture; for the album alone. */
export const pictureMs = 500;
/** From the start of the navigation until the first thing that a person came for can be pressed. */
export const firstScreenMs = 1_000;
/** Above this load a time says more about the machine than about the page. */
export const quietLoadMax = 2;
/** All scripts of all pages, as gzip. */
export const scriptBytesMax = 250_000;
export const mixedDecisions = 50;
