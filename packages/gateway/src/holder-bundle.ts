import type { JsonObject } from "@countersign/wire";
import { buildBundle } from "./evidence/bundle.ts";
import type { Gateway } from "./gateway.ts";
import { findTask } from "./tasks/tasks.ts";

/** The first person's evidence bundle of one of their tasks, for the program that runs the gateway. */
export async function holderBundle(gateway: Gateway, taskId: string): Promise<JsonObject | undefined> {
  const task = await findTask(gateway.core.store.db, gateway.owner, taskId);
  return task === undefined ? undefined : buildBundle(gateway.core, task);
}
