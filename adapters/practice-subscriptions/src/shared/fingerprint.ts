import { createHash } from "node:crypto";
import { err, type JsonObject, ok, type Result } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";

/** What a read-back looks for: saved before anything leaves (lessons U04). */
export interface Fingerprint {
  readonly reference: string;
  /** By the API: the preview that was used. */
  readonly preview?: string;
  /** By the pages: the page that was confirmed; it leads on to what came of it. */
  readonly draft?: string;
}

const VERSION = 1;

/**
 * The mark that the service keeps with what was done through its API: derived from the task, so that a read-back finds
 * this submission and no other, whatever the person did elsewhere (lessons U04).
 */
export function ownReference(record: ActionRecord): string {
  const { issuer, task_id: task, operation } = record;
  const digest = createHash("sha256").update(`countersign own reference/1\n${issuer}\n${task}\n${operation}`);
  return `CS-${digest.digest("hex").slice(0, 24)}`;
}

export function fingerprintOf(
  record: ActionRecord,
  where: { readonly preview?: string; readonly draft?: string } = {},
): JsonObject {
  return { v: VERSION, reference: ownReference(record), ...where };
}

/** One of another version is refused, not guessed (decisions.md 12). */
export function readFingerprint(value: JsonObject): Result<Fingerprint, "unreadable"> {
  const { v, reference, preview, draft } = value;
  if (v !== VERSION || typeof reference !== "string") return err("unreadable");
  return ok({
    reference,
    ...(typeof preview === "string" ? { preview } : {}),
    ...(typeof draft === "string" ? { draft } : {}),
  });
}
