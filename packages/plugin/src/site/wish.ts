import type { ActionRecord } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";

/** What a step of a commit is asked for. */
export interface Wish {
  readonly params: JsonObject;
  /** What the person has approved; absent while the terms are only looked for. */
  readonly approved?: ActionRecord;
}

export function wishOf(record: ActionRecord): Wish {
  return { params: record.parameters as JsonObject, approved: record };
}
