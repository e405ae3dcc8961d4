import {
  assert,
  type Digest,
  digestOfText,
  err,
  fromBase64Url,
  ok,
  parseJson,
  type Result,
  toBase64Url,
} from "@countersign/wire";
import { DISCLOSURE_BYTES_MAX } from "./limits.ts";
import { memberName, random128 } from "./shapes.ts";

/** 16 bytes in base64url. */
const SALT_CHARS = 22;
const NAME_CHARS_MAX = 64;

/** One private field opened: its salt, its name in the action's `private`, its text. */
export interface Disclosure {
  /** 16 bytes in base64url, fresh for each field: without it the text could be guessed from its digest. */
  readonly salt: string;
  readonly name: string;
  readonly value: string;
}

/**
 * Encodes a private field as RFC 9901 section 4.2.1 does: base64url of the JSON array [salt, name, value]. The digest
 * is over the encoded text and goes into the action's `private`.
 * @throws AssertionFailed for a salt that is not 16 bytes, a name that records do not allow, or text too long or not
 *   well formed: the caller made them.
 */
export async function makeDisclosure(
  field: Disclosure,
): Promise<{ readonly disclosure: string; readonly digest: Digest }> {
  assert(random128.safeParse(field.salt).success, "disclosure: a salt that is not 16 bytes");
  assert(memberName.safeParse(field.name).success, "disclosure: a name that records do not allow");
  assert(field.value.isWellFormed(), "disclosure: a lone surrogate");
  const bytes = new TextEncoder().encode(JSON.stringify([field.salt, field.name, field.value]));
  assert(bytes.length <= DISCLOSURE_BYTES_MAX, "disclosure: too long");
  const disclosure = toBase64Url(bytes);
  return { disclosure, digest: await digestOfText(disclosure) };
}

/** Whether a text can be a private field. Texts come from sites, so this is asked before one is made. */
export function canDisclose(value: string): boolean {
  if (!value.isWellFormed()) return false;
  const longest: Disclosure = { salt: "A".repeat(SALT_CHARS), name: "n".repeat(NAME_CHARS_MAX), value };
  const bytes = new TextEncoder().encode(JSON.stringify([longest.salt, longest.name, longest.value]));
  return bytes.length <= DISCLOSURE_BYTES_MAX;
}

/** Opens an encoded disclosure. That it belongs to a record is for its digest to say. */
export function readDisclosure(disclosure: string): Result<Disclosure, "malformed"> {
  const bytes = fromBase64Url(disclosure);
  if (!bytes.ok) return bytes;
  const parsed = parseJson(bytes.value, { maxBytes: DISCLOSURE_BYTES_MAX, maxDepth: 1 });
  if (!parsed.ok || !Array.isArray(parsed.value)) return err("malformed");
  const [salt, name, value, ...rest] = parsed.value as readonly unknown[];
  if (typeof salt !== "string" || typeof name !== "string" || typeof value !== "string" || rest.length > 0) {
    return err("malformed");
  }
  if (!random128.safeParse(salt).success || !memberName.safeParse(name).success) return err("malformed");
  return ok({ salt, name, value });
}
