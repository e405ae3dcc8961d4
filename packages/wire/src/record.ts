import { canonicalJson } from "./canonical.ts";
import {
  FORBIDDEN_NAME,
  type Json,
  type JsonObject,
  type JsonProblem,
  type PathStep,
  pointer,
  RECORD_CONTROL,
  RECORD_NAME,
} from "./json-scan.ts";
import { RECORD_MAX_BYTES, RECORD_MAX_DEPTH } from "./limits.ts";
import { err, ok, type Result } from "./result.ts";

/** Narrows a JSON value to an object. */
export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for object literals, parsed JSON and null-prototype objects; false for class instances, Map, Date, Secret. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Checks a value already in memory against the rules of `parseRecord`; its size is that of its canonical form.
 * Values that are no JSON at all (undefined, bigint, a class instance) are refused as `not_in_profile`.
 */
export function checkRecord(
  value: Json,
  limits: { readonly maxBytes?: number; readonly maxDepth?: number } = {},
): Result<JsonObject, JsonProblem> {
  const path: PathStep[] = [];
  const code = faultIn(value, path, 0, limits.maxDepth ?? RECORD_MAX_DEPTH);
  if (code) return err({ code, path: pointer(path), offset: 0 });
  if (!isJsonObject(value)) return err({ code: "not_in_profile", path: "", offset: 0 });
  const bytes = new TextEncoder().encode(canonicalJson(value)).length;
  if (bytes > (limits.maxBytes ?? RECORD_MAX_BYTES)) return err({ code: "too_large", path: "", offset: 0 });
  return ok(value);
}

/** The first fault, with `path` left standing at it. */
function faultIn(value: unknown, path: PathStep[], depth: number, maxDepth: number): JsonProblem["code"] | undefined {
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "number":
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? undefined : "unsafe_number";
    case "string":
      if (!value.isWellFormed()) return "lone_surrogate";
      return RECORD_CONTROL.test(value) ? "not_in_profile" : undefined;
    case "object": {
      if (value === null) return "not_in_profile";
      if (depth + 1 > maxDepth) return "too_deep";
      if (Array.isArray(value)) {
        // By index, so that a hole is met as undefined.
        for (let i = 0; i < value.length; i++) {
          path.push(i);
          const fault = faultIn(value[i], path, depth + 1, maxDepth);
          if (fault) return fault;
          path.pop();
        }
        return undefined;
      }
      if (!isPlainObject(value) || Object.getOwnPropertySymbols(value).length > 0) return "not_in_profile";
      for (const [name, member] of Object.entries(value)) {
        path.push(name);
        if (name === FORBIDDEN_NAME || !RECORD_NAME.test(name)) return "forbidden_name";
        const fault = faultIn(member, path, depth + 1, maxDepth);
        if (fault) return fault;
        path.pop();
      }
      return undefined;
    }
    default:
      return "not_in_profile";
  }
}
