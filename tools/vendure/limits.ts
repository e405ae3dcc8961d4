/** Every wait and size of these tools. Milliseconds unless the name says otherwise. */
export const downloadMs = 600_000;
/** The shop makes its tables and its catalogue at each start, in memory: a few seconds. */
export const shopReadyMs = 90_000;
export const sessionsEndMs = 10_000;
/** From a submission to the end of its task. */
export const taskMs = 90_000;
export const lookEveryMs = 200;
export const stepMs = 20_000;
/** The whole run; what hangs is ended. */
export const runMs = 10 * 60_000;
