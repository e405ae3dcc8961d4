import { err, type JsonObject, ok, type Result } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { ownReference } from "./wish.ts";

/** What a read-back looks for: saved before anything leaves (lessons U04). */
export interface Fingerprint {
  readonly ownReference: string;
  /** The draft that was confirmed. */
  readonly draft?: string;
  /**
   * Made from the record alone: acts of the person's own that are alike cannot be told from it, and are reported rather
   * than looked past.
   */
  readonly alike: boolean;
}

const VERSION = 1;

export function fingerprintOf(record: ActionRecord, draft: string): JsonObject {
  return { v: VERSION, own_reference: ownReference(record), draft };
}

export function traceOf(record: ActionRecord): JsonObject {
  return { v: VERSION, own_reference: ownReference(record), alike: true };
}

/** One of another version is refused, not guessed (decisions.md 12). */
export function readFingerprint(value: JsonObject): Result<Fingerprint, "unreadable"> {
  const { v, own_reference: own, draft, alike } = value;
  if (v !== VERSION || typeof own !== "string") return err("unreadable");
  return ok({ ownReference: own, ...(typeof draft === "string" ? { draft } : {}), alike: alike === true });
}
