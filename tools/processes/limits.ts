/** Every wait and size of these tools. Milliseconds unless the name says otherwise. */
export const commandMs = 60_000;
export const pollMs = 50;
export const processGoneMs = 10_000;
export const otherInstallMs = 900_000;
/** Lines of a log quoted when something did not start. */
export const logTailLines = 15;
