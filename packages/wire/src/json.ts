import { type Json, type JsonObject, type JsonProblem, scan } from "./json-scan.ts";
import { DEPTH_CEILING, JSON_MAX_BYTES, JSON_MAX_DEPTH, RECORD_MAX_BYTES, RECORD_MAX_DEPTH } from "./limits.ts";
import { isJsonObject } from "./record.ts";
import { assert, err, ok, type Result } from "./result.ts";

/** `maxBytes`: bytes of UTF-8. `maxDepth`: objects and arrays inside each other; a flat object has depth 1. */
export interface JsonLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/**
 * Strict JSON for request bodies and answers of sites: RFC 8259, and refused besides: invalid UTF-8, a byte order mark,
 * duplicate names (after unescaping), `__proto__`, lone surrogates, numbers a double cannot carry (integers beyond
 * 2^53-1, `1e400`, `-0`, a fraction that would round to an integer), more than 32 levels, more than 64 KiB.
 *
 * `7500.0` and `7.5e3` are JSON numbers and read as 7500 here; {@link parseRecord} refuses both spellings.
 */
export function parseJson(input: string | Uint8Array, limits: Partial<JsonLimits> = {}): Result<Json, JsonProblem> {
  return parse(input, "json", { maxBytes: JSON_MAX_BYTES, maxDepth: JSON_MAX_DEPTH, ...limits });
}

/**
 * The profile of records that are digested and signed (approval-evidence.md section 3 with decisions.md 5): an object;
 * names `[a-z0-9_]+`; integers only, and spelled as integers; no null; no C0 control but newline; 8 levels; 16 KiB.
 * Bidirectional and invisible characters in text pass: the renderer shows them.
 */
export function parseRecord(
  input: string | Uint8Array,
  limits: Partial<JsonLimits> = {},
): Result<JsonObject, JsonProblem> {
  const parsed = parse(input, "record", { maxBytes: RECORD_MAX_BYTES, maxDepth: RECORD_MAX_DEPTH, ...limits });
  if (!parsed.ok) return parsed;
  return isJsonObject(parsed.value) ? ok(parsed.value) : err({ code: "not_in_profile", path: "", offset: 0 });
}

function parse(input: string | Uint8Array, profile: "json" | "record", limits: JsonLimits): Result<Json, JsonProblem> {
  assert(limits.maxDepth <= DEPTH_CEILING, "a depth limit beyond the parser's own");
  const text = typeof input === "string" ? boundedText(input, limits.maxBytes) : decode(input, limits.maxBytes);
  if (!text.ok) return err({ code: text.reason, path: "", offset: 0 });
  return scan(text.value, { profile, maxDepth: limits.maxDepth });
}

function boundedText(text: string, maxBytes: number): Result<string, "too_large"> {
  // A UTF-16 unit is at least one byte of UTF-8: a huge text is refused before it is encoded.
  if (text.length > maxBytes) return err("too_large");
  if (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes) return err("too_large");
  return ok(text);
}

function decode(bytes: Uint8Array, maxBytes: number): Result<string, "too_large" | "not_utf8"> {
  if (bytes.length > maxBytes) return err("too_large");
  try {
    // ignoreBOM keeps the mark in the text, where the grammar refuses it.
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return err("not_utf8");
  }
}
