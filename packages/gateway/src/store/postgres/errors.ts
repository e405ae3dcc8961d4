import type { StoreProblem } from "../problems.ts";

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const UNIQUE_VIOLATION = "23505";
const NO_SUCH_TABLE = "42P01";
const NO_RIGHT = "42501";
const UNSTORABLE_TEXT = "22021";
/** Connection exceptions, insufficient resources, operator intervention. */
const UNAVAILABLE = /^(08|53|57P)/;
/** The driver's own words, for which it has no codes. */
const LOST_CONNECTION = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;
const PROBLEMS: ReadonlyMap<string, StoreProblem> = new Map([
  ["28000", "login_refused"],
  ["28P01", "login_refused"],
  [NO_RIGHT, "login_refused"],
  ["3D000", "no_database"],
]);

/** The SQLSTATE of PostgreSQL's errors, or the code of the network's. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The transaction did nothing and can be run again from the start. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === NO_SUCH_TABLE;
}

export function isMissingRight(error: unknown): boolean {
  return codeOf(error) === NO_RIGHT;
}

/**
 * What a failed query says about its moment or its words, and not about us: `unstorable` text holds a NUL, which
 * PostgreSQL keeps nowhere; `unavailable`: the database is away, full, or too contended just now.
 */
export function passingTrouble(error: unknown): "unstorable" | "unavailable" | undefined {
  const code = codeOf(error) ?? "";
  if (code === UNSTORABLE_TEXT) return "unstorable";
  if (isSerializationFailure(error) || UNAVAILABLE.test(code)) return "unavailable";
  return error instanceof Error && LOST_CONNECTION.test(error.message) ? "unavailable" : undefined;
}

/** What a failed connection means to whoever runs the gateway. */
export function connectProblem(error: unknown): StoreProblem {
  return PROBLEMS.get(codeOf(error) ?? "") ?? "unreachable";
}
