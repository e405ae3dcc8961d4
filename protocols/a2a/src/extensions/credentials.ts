import { isJsonObject, type Json } from "@countersign/wire";

// A card is public and its params go out as they are written. So a name or a value that looks like a credential is
// refused wherever it stands, and what is said about it is its place alone (plugins.md §3.5, U52).

/** Compared without case and separators; a name that contains one of these is refused. */
const NAMES = [
  "token",
  "apikey",
  "password",
  "passwd",
  "passphrase",
  "secret",
  "privatekey",
  "authorization",
  "cookie",
  "credential",
  "bearer",
] as const;

const COMPACT_JWT = /ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/;
const PEM_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const AUTHORIZATION_VALUE = /^\s*(bearer|basic|dpop)\s+[A-Za-z0-9._~+/=-]{8,}\s*$/i;
const PRIVATE_JWK_MEMBERS = ["d", "k"] as const;

/**
 * Where the first thing stands that looks like a credential, as an RFC 6901 pointer below `base`; undefined where
 * nothing does. The value itself is in no answer.
 */
export function credentialAt(value: Json | undefined, base = ""): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string")
    return COMPACT_JWT.test(value) || PEM_KEY.test(value) || AUTHORIZATION_VALUE.test(value) ? base : undefined;
  if (Array.isArray(value))
    return first(
      value.map((item, at) => [String(at), item] as const),
      base,
    );
  if (typeof value !== "object" || value === null || !isJsonObject(value)) return undefined;
  const members = Object.entries(value);
  const isJwk = typeof value["kty"] === "string";
  for (const [name] of members) {
    const isPrivate = isJwk && PRIVATE_JWK_MEMBERS.some((member) => member === name);
    if (isPrivate || looksLikeCredential(name)) return `${base}/${step(name)}`;
  }
  return first(members, base);
}

function looksLikeCredential(name: string): boolean {
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
  return NAMES.some((word) => plain.includes(word));
}

function first(members: readonly (readonly [string, Json])[], base: string): string | undefined {
  for (const [name, value] of members) {
    const found = credentialAt(value, `${base}/${step(name)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function step(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
