import {
  err,
  formatInstant,
  instant,
  isJsonObject,
  ok,
  parseInstant,
  parseJson,
  type Result,
  type Secret,
  secret,
} from "@countersign/wire";
import type { SessionCookie } from "./set-cookie.ts";

/** Each kind of sign-in has a version of its own: material of one is never read as another's. */
const VERSION = 4;

export function toCookieMaterial({ name, value, expiresAtMs }: SessionCookie): Secret<string> {
  const until = expiresAtMs === undefined ? {} : { expires_at: formatInstant(instant(expiresAtMs)) };
  return secret(JSON.stringify({ v: VERSION, name, value: value.reveal(), ...until }));
}

/** `unreadable`: another version, another cookie's, or not ours; either way the person signs in again. */
export function fromCookieMaterial(
  material: Secret<string>,
  name: string,
  now: number,
): Result<SessionCookie, "unreadable" | "expired"> {
  const parsed = parseJson(material.reveal());
  if (!parsed.ok || !isJsonObject(parsed.value)) return err("unreadable");
  const { v, name: kept, value, expires_at: expiresAt } = parsed.value;
  if (v !== VERSION || kept !== name || typeof value !== "string" || value === "") return err("unreadable");
  if (expiresAt === undefined) return ok({ name, value: secret(value) });
  const until = typeof expiresAt === "string" ? parseInstant(expiresAt) : undefined;
  if (until?.ok !== true) return err("unreadable");
  return now >= until.value ? err("expired") : ok({ name, value: secret(value), expiresAtMs: until.value });
}
