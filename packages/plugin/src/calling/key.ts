import type { ActionRecord } from "@countersign/profile";
import { digestOfText } from "@countersign/wire";

/** One key for a task, the same for each attempt and told to nobody else: what the other side may know a repetition by (U03). */
export function callKey(record: ActionRecord): Promise<string> {
  return digestOfText(`countersign call key/1\n${record.issuer}\n${record.task_id}\n${record.operation}`);
}
