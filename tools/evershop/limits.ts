/** Every wait and size of these tools. Milliseconds unless the name says otherwise. */

/** Work longer than this says so on the terminal. */
export const progressAfterMs = 2_000;
export const progressEveryMs = 15_000;

export const downloadMs = 600_000;
export const buildMs = 600_000;

export const storefrontReadyMs = 60_000;
export const catalogueReadyMs = 20_000;

/** EverShop's event worker fails events that arrive while it is starting; seeded products then answer 404 for ever. */
export const beforeSeedMs = 4_000;
export const seedAttempts = 3;

export const proxyBodyBytes = 1_048_576;

/** A step of a person at the shop's pages. */
export const stepMs = 30_000;
