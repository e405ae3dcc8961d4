import { type Secret, secret } from "@countersign/wire";
import { SECRET_COOKIE_MIN_CHARS, SECRET_TOKEN_MIN_CHARS, SECRETS_MAX } from "../limits.ts";
import type { StorageState } from "./material.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TOKEN = /^[A-Za-z0-9._~+/=%:|-]+$/;

/**
 * Values that must never return to an agent (AUT-4). Cookies a page cannot read are secrets whatever they hold; others
 * and stored values when they look like tokens. A bare UUID in page storage is as likely an order's number: left out.
 */
export function secretValues(state: StorageState): readonly Secret<string>[] {
  const values = new Set<string>();
  const add = (value: string) => {
    values.add(value);
    values.add(decoded(value));
  };
  for (const cookie of state.cookies) {
    const hidden = cookie.httpOnly && cookie.value.length >= SECRET_COOKIE_MIN_CHARS;
    if (hidden || isToken(cookie.value)) add(cookie.value);
  }
  for (const origin of state.origins) {
    for (const item of origin.localStorage) for (const leaf of leaves(item.value)) if (isToken(leaf)) add(leaf);
  }
  return [...values].slice(0, SECRETS_MAX).map((each) => secret(each));
}

function isToken(value: string): boolean {
  if (value.length < SECRET_TOKEN_MIN_CHARS || !TOKEN.test(value) || UUID.test(value)) return false;
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/^https?:/i.test(value);
}

/** Pages keep tokens as they are or inside JSON. */
function leaves(text: string): readonly string[] {
  if (!/^\s*[[{"]/.test(text)) return [text];
  try {
    return strings(JSON.parse(text));
  } catch {
    return [text];
  }
}

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
