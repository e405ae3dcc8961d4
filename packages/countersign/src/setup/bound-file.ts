import { readFileSync } from "node:fs";
import { err, ok, parseJson, type Result } from "@countersign/wire";
import type { z } from "zod";

const BYTES_MAX = 1024 * 1024;

/** What an operator bound, in a file of its own. The reason is a sentence that names file, member and rule. */
export function readBoundFile<T>(path: string, schema: z.ZodType<T>): Result<T, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return err(`bindingsFile: ${path} cannot be read`);
  }
  const json = parseJson(text, { maxBytes: BYTES_MAX });
  if (!json.ok) return err(`bindingsFile: ${path} is no JSON (${json.reason.code} at offset ${json.reason.offset})`);
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`bindingsFile: ${path}: ${issue?.path.join(".") || "bindings"}: ${issue?.message ?? "invalid"}`);
}
