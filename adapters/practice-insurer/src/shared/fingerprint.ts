import { err, type JsonObject, ok, type Result } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { ownReference } from "./claim.ts";

/** What a read-back looks for: saved before anything leaves (lessons U04). */
export interface Fingerprint {
  readonly ownReference: string;
  /** By the API: the quote that was used. */
  readonly quote?: string;
  /** By the pages: the number of what was begun in the frame. Its address would let anybody on, and is not kept. */
  readonly draft?: string;
  /**
   * Made from the record alone: claims of the person's own making that are alike cannot be told from it, and are reported
   * rather than looked past.
   */
  readonly alike: boolean;
}

const VERSION = 1;

export function fingerprintOf(
  record: ActionRecord,
  by: { readonly quote: string } | { readonly draft: string },
): JsonObject {
  return { v: VERSION, own_reference: ownReference(record), ...by };
}

export function traceOf(record: ActionRecord): JsonObject {
  return { v: VERSION, own_reference: ownReference(record), alike: true };
}

/** One of another version is refused, not guessed (decisions.md 12). */
export function readFingerprint(value: JsonObject): Result<Fingerprint, "unreadable"> {
  const { v, own_reference: own, quote, draft, alike } = value;
  if (v !== VERSION || typeof own !== "string") return err("unreadable");
  return ok({
    ownReference: own,
    ...(typeof quote === "string" ? { quote } : {}),
    ...(typeof draft === "string" ? { draft } : {}),
    alike: alike === true,
  });
}
