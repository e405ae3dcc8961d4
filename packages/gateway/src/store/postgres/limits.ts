/** Every limit of the store on PostgreSQL. Times are milliseconds. */
export const SERVER_VERSION_MIN = 150_000;
export const CONNECTIONS_MAX = 10;
export const CONNECT_MS = 5_000;
/** Below the lease: what a stopped process holds is free before its tasks are. */
export const IDLE_IN_TRANSACTION_MS = 15_000;
/** How often a transaction is begun before its serialisation failure is an error. */
export const TRANSACTION_TRIES_MAX = 20;
/**
 * How often it is begun again after a duplicate key: of two that looked first and then wrote, the second may be told so
 * instead (PostgreSQL manual, 13.5); a real duplicate is told so again.
 */
export const DUPLICATE_TRIES_MAX = 3;
export const RETRY_FIRST_MS = 2;
export const RETRY_CAP_MS = 100;
/** How long until a lost listener tries again; meanwhile the worker's own ceiling finds what is due. */
export const LISTEN_AGAIN_MS = 1_000;
