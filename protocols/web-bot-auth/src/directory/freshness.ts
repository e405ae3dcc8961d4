import { FRESH_DEFAULT_MS, FRESH_MAX_MS, FRESH_MIN_MS, RETRY_MAX_MS, RETRY_MIN_MS } from "../limits.ts";

/** How long an answer may be used without asking again: what it says, within our bounds (RFC 9111 sections 4.2 and 5). */
export function freshForMs(headers: Headers, nowMs: number): number {
  return Math.min(Math.max(statedMs(headers, nowMs) ?? FRESH_DEFAULT_MS, FRESH_MIN_MS), FRESH_MAX_MS);
}

function statedMs(headers: Headers, nowMs: number): number | undefined {
  const directives = (headers.get("cache-control") ?? "")
    .toLowerCase()
    .split(",")
    .map((one) => one.trim());
  if (directives.some((one) => one === "no-store" || one === "no-cache")) return 0;
  const maxAge = directives.map((one) => /^max-age="?([0-9]{1,10})"?$/.exec(one)?.[1]).find((one) => one !== undefined);
  const ageMs = Number(/^[0-9]{1,10}$/.exec(headers.get("age") ?? "")?.[0] ?? 0) * 1000;
  if (maxAge !== undefined) return Number(maxAge) * 1000 - ageMs;
  const expires = headers.get("expires");
  if (expires === null) return undefined;
  const at = Date.parse(expires);
  const date = Date.parse(headers.get("date") ?? "");
  // A date that cannot be read means: already out of date.
  return Number.isNaN(at) ? 0 : at - (Number.isNaN(date) ? nowMs : date) - ageMs;
}

/** When to ask again after `failures` in a row; what `Retry-After` says counts, within our bounds. */
export function retryAfterMs(failures: number, retryAfter: string | null, nowMs: number): number {
  const own = Math.min(RETRY_MIN_MS * 2 ** Math.min(failures - 1, 10), RETRY_MAX_MS);
  if (retryAfter === null) return own;
  const asked = /^[0-9]{1,10}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs;
  return Number.isNaN(asked) ? own : Math.min(Math.max(asked, own), RETRY_MAX_MS);
}
