import type { CommitAdapter } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import type { Db } from "../store/store.ts";
import { appendEvent } from "../tasks/tasks.ts";
import type { Opened, Work } from "./work.ts";

const FOLLOWS_MS = 60_000;

/** The step of a task's story that says so; the approval page looks for it. */
export const EQUAL_AT_SITE = "equal_at_site";

/**
 * Whether the very thing that is about to be done was done meanwhile by the person's own hand. While a person is handed
 * over to the site they can act there as they like: in this gateway's browser the door refuses what commits, but not in
 * another window or on a phone. So when a hand-off of the account began after the record was frozen, the site is read
 * back once before the gateway's own submission, by the adapter's `trace`. What is found, or cannot be told apart, is put
 * to the person anew; their fresh record is younger than the hand-off, so they are asked once and not for ever.
 */
export async function placedMeanwhile(
  work: Work,
  adapter: CommitAdapter<JsonObject>,
  record: ActionRecord,
  state: JsonObject,
  { ctx, session }: Pick<Opened, "ctx" | "session">,
): Promise<"no" | "perhaps" | "sign_in"> {
  const trace = (await handedOver(work)) ? adapter.trace?.(record, state) : undefined;
  if (trace === undefined) return "no";
  const found = await adapter.readBack(ctx, session, {
    submissionId: `meanwhile_${work.task.task_id}`,
    record,
    fingerprint: trace,
    submittedAt: record.created_at,
  });
  if (found.kind === "sign_in") return "sign_in";
  if (found.kind === "absent") return "no";
  const { core, task } = work;
  await core.store.transaction((tx) =>
    appendEvent(tx, {
      taskId: task.task_id,
      at: core.now(),
      state: task.state,
      step: EQUAL_AT_SITE,
      // Without the site's reference: what the person does by themselves is none of the agent's business.
      label: "The site may show this done already; the account holder is asked again",
    }),
  );
  return "perhaps";
}

/** Whether a waiting record is one that the person is asked about again for that reason. */
export async function askedAgain(db: Db, taskId: string, recordCreatedAt: number): Promise<boolean> {
  const row = await db
    .selectFrom("task_event")
    .select(({ fn }) => fn.max("at").as("at"))
    .where("task_id", "=", taskId)
    .where("step", "=", EQUAL_AT_SITE)
    .executeTakeFirst();
  const at = row?.at ?? undefined;
  // The fresh record follows at once; a later one is about other terms, and says so itself.
  return at !== undefined && recordCreatedAt - Number(at) < FOLLOWS_MS;
}

async function handedOver({ core, task }: Work): Promise<boolean> {
  // By the row's own clock: the record's time is whole seconds, and a hand-off could fall into its second.
  const row = await core.store.db
    .selectFrom("continuation")
    .innerJoin("action", (join) => join.on("action.action_id", "=", task.action_id ?? ""))
    .select("continuation.continuation_ref")
    .where("continuation.account_ref", "=", task.account_ref)
    .whereRef("continuation.begun_at", ">", "action.created_at")
    .executeTakeFirst();
  return row !== undefined;
}
