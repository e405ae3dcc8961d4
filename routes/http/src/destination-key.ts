import type { ActionRecord } from "@countersign/profile";
import { digestOfText } from "@countersign/wire";

/**
 * The idempotency key for a site that takes one: derived from the task, so that two tasks never share it and two
 * attempts of one task always do (lessons U03). It says nothing about the task to whoever reads it.
 */
export async function destinationKey(record: ActionRecord): Promise<string> {
  return digestOfText(`countersign destination key/1\n${record.issuer}\n${record.task_id}\n${record.operation}`);
}
