import { err, ok, type Result, type Secret, secret } from "@countersign/wire";
import type { BrowserContext } from "playwright-core";
import { MATERIAL_MAX_CHARS } from "../limits.ts";

export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** The form in which a session is kept; another version is refused, not guessed (decisions.md 12). */
const VERSION = 1;

export function toMaterial(storageState: StorageState): Secret<string> {
  return secret(JSON.stringify({ v: VERSION, storageState }));
}

export function fromMaterial(material: Secret<string>): Result<StorageState, "unreadable"> {
  const text = material.reveal();
  if (text.length > MATERIAL_MAX_CHARS) return err("unreadable");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err("unreadable");
  }
  return isMaterial(value) ? ok(value.storageState) : err("unreadable");
}

function isMaterial(value: unknown): value is { v: 1; storageState: StorageState } {
  if (!isRecord(value) || value["v"] !== VERSION || !isRecord(value["storageState"])) return false;
  const { cookies, origins } = value["storageState"];
  return Array.isArray(cookies) && cookies.every(isCookie) && Array.isArray(origins) && origins.every(isRecord);
}

function isCookie(value: unknown): boolean {
  return isRecord(value) && typeof value["name"] === "string" && typeof value["value"] === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether there is anything new to keep. Order does not count; lifetimes are compared by the minute, since a site that
 * prolongs a cookie at every request changes them by milliseconds.
 */
export function sameState(a: StorageState, b: StorageState): boolean {
  return comparable(a) === comparable(b);
}

function comparable(state: StorageState): string {
  const cookies = state.cookies.map((each) => line({ ...each, expires: Math.round(each.expires / 60) })).sort();
  const origins = state.origins.map((each) => ({
    ...each,
    localStorage: [...each.localStorage].map((item) => line(item)).sort(),
  }));
  return JSON.stringify([cookies, origins.map((each) => line(each)).sort()]);
}

/** Not canonical JSON: pages store half surrogates, which that refuses. */
function line(value: object): string {
  return JSON.stringify(value, (_name, member) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
