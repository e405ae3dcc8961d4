import { fromBase64Url, toBase64Url } from "./base64url.ts";
import type { Json } from "./json-scan.ts";
import { DEPTH_CEILING } from "./limits.ts";
import { AssertionFailed, assert, err, ok, type Result } from "./result.ts";

/** SHA-256 as 43 characters of base64url, without prefix: the suite is fixed by the record's `typ`. */
export type Digest = string & { readonly __brand: "Digest" };

/**
 * RFC 8785 canonical JSON. Type-strict: `1`, `"1"` and `true` stay different texts.
 * @throws AssertionFailed for what JSON cannot carry: undefined, a hole, bigint, function, non-finite number, lone
 *   surrogate, class instance (Map, Date, Secret), symbol member, cycle. `toJSON` is never called.
 */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  assert(depth <= DEPTH_CEILING, "canonical JSON: too deep, or a cycle");
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "number":
      assert(Number.isFinite(value), "canonical JSON: a number that is not finite");
      // ECMAScript's own number text is what RFC 8785 section 3.2.2.3 prescribes.
      return JSON.stringify(value);
    case "string":
      return writeString(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    default:
      throw new AssertionFailed("canonical JSON: a value that JSON cannot carry");
  }
}

function writeString(value: string): string {
  assert(value.isWellFormed(), "canonical JSON: a lone surrogate");
  return JSON.stringify(value);
}

function writeArray(items: readonly unknown[], depth: number): string {
  const parts: string[] = [];
  for (let i = 0; i < items.length; i++) parts.push(write(items[i], depth + 1));
  return `[${parts.join(",")}]`;
}

function writeObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  assert(prototype === Object.prototype || prototype === null, "canonical JSON: an object that is not plain");
  assert(Object.getOwnPropertySymbols(value).length === 0, "canonical JSON: a symbol member");
  // sort() without a comparator orders by UTF-16 code units, as RFC 8785 section 3.2.3 asks.
  const entries = new Map(Object.entries(value));
  const parts = [...entries.keys()].sort().map((name) => `${writeString(name)}:${write(entries.get(name), depth + 1)}`);
  return `{${parts.join(",")}}`;
}

/** Digest of the canonical form of `value`. @throws AssertionFailed as {@link canonicalJson}. */
export async function digestOf(value: Json): Promise<Digest> {
  return digestOfText(canonicalJson(value));
}

/** Digest of the UTF-8 bytes. @throws AssertionFailed for a lone surrogate: encoding would turn it into U+FFFD. */
export async function digestOfText(text: string): Promise<Digest> {
  assert(text.isWellFormed(), "digest: a lone surrogate");
  return digestOfBytes(new TextEncoder().encode(text));
}

export async function digestOfBytes(bytes: Uint8Array): Promise<Digest> {
  if (nodeHash !== undefined) return nodeHash("sha256", bytes, "base64url") as Digest;
  // Copied: WebCrypto takes no view on shared memory.
  const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return toBase64Url(new Uint8Array(hash)) as Digest;
}

/** Node's own hash, where this runs in Node: WebCrypto's way through a thread costs ten times as much. */
const nodeHash = globalThis.process?.getBuiltinModule?.("node:crypto")?.hash;

/** Reads a digest somebody sent: exactly 32 bytes in canonical base64url. */
export function parseDigest(text: string): Result<Digest, "malformed"> {
  const bytes = text.length === 43 ? fromBase64Url(text) : err("malformed" as const);
  return bytes.ok && bytes.value.length === 32 ? ok(text as Digest) : err("malformed");
}

/** Equality in time that does not depend on where the texts differ. */
export function sameDigest(a: Digest, b: Digest): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
