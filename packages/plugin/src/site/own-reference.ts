import { createHash } from "node:crypto";
import type { ActionRecord } from "@countersign/profile";
import { err, type JsonObject, ok, type Result } from "@countersign/wire";
import type { Confirmation, Found } from "../seams/adapter.ts";

// A site that keeps a text of ours with what was done makes a read-back certain: what carries the task's own reference is
// this submission, and nothing else is, whatever the person does there by themselves (lessons U04).

/**
 * The task's own reference: the same for every record of a task, and another for every other task. It says nothing about
 * the task to whoever reads it.
 */
export function ownReference(record: ActionRecord): string {
  const { issuer, task_id: task, operation } = record;
  const digest = createHash("sha256").update(`countersign own reference/1\n${issuer}\n${task}\n${operation}`);
  return `CS-${digest.digest("hex").slice(0, 24)}`;
}

/** What a read-back looks for: saved before anything leaves. */
export interface Fingerprint {
  readonly ownReference: string;
  /** What the held request confirms: a quote of the API's, or what the pages have begun. */
  readonly draft?: string;
  /**
   * Made from the record alone: acts of the person's own that are alike cannot be told from it, and are reported rather
   * than looked past.
   */
  readonly alike: boolean;
}

const VERSION = 2;

export function fingerprintOf(record: ActionRecord, draft: string): JsonObject {
  return { v: VERSION, own_reference: ownReference(record), draft };
}

/** For `trace`: where no fingerprint was saved. */
export function traceOf(record: ActionRecord): JsonObject {
  return { v: VERSION, own_reference: ownReference(record), alike: true };
}

/** One of another version is refused, not guessed (decisions.md 12). */
export function readFingerprint(value: JsonObject): Result<Fingerprint, "unreadable"> {
  const { v, own_reference: own, draft, alike } = value;
  if (v !== VERSION || typeof own !== "string") return err("unreadable");
  return ok({ ownReference: own, ...(typeof draft === "string" ? { draft } : {}), alike: alike === true });
}

/** What a site shows of one kind of act, in a list or an answer. */
export interface OwnActs<D> {
  /** The reference that the site keeps with it; empty for what the person did by themselves. */
  readonly reference: (done: D) => string;
  /** Whether what carries the task's own reference is what the record says. */
  readonly isWanted: (done: D, record: ActionRecord) => boolean;
  /** Whether it could be what the record says, done since it was made; absent where no act is without a reference. */
  readonly isAlike?: (done: D, record: ActionRecord) => boolean;
  readonly confirmation: (done: D, record: ActionRecord) => Confirmation<JsonObject>;
}

export type Matched = Found<JsonObject> | { readonly kind: "none" };

/**
 * Finds a submission among what the site lists. Two with its reference, and something else with it, are unclear; so is an
 * act that is alike, where only the record has survived.
 */
export function matchOwn<D>(
  rows: readonly D[],
  print: Fingerprint,
  record: ActionRecord,
  { reference, isWanted, isAlike, confirmation }: OwnActs<D>,
): Matched {
  const [own, ...others] = rows.filter((each) => reference(each) === print.ownReference);
  if (others.length > 0) return { kind: "unclear", why: "more than one act carries this task's own reference" };
  if (own !== undefined)
    return isWanted(own, record)
      ? { kind: "found", ...confirmation(own, record) }
      : { kind: "unclear", why: "what carries this task's own reference is something else" };
  return print.alike && rows.some((each) => isAlike?.(each, record))
    ? { kind: "unclear", why: "an equal act was done meanwhile" }
    : { kind: "none" };
}
