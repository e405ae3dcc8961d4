import { isDeepStrictEqual } from "node:util";

/** Whether two values are the same JSON, whatever the order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** What the store would give back. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
