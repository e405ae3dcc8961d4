import { TERMINAL_STATES } from "@countersign/profile";
import { sql } from "kysely";
import type { Core } from "../core.ts";
import type { Tx } from "../store/store.ts";
import { effectOf, moveTask } from "./tasks.ts";

/**
 * After a verified sign-in every task of the account that waited for it goes on: it is validated again from the
 * start (MFA-3), or, when its outcome is unknown, read back (MFA-4).
 */
export async function wakeAfterSignIn(core: Core, tx: Tx, accountRef: string): Promise<void> {
  const now = core.now();
  const waiting = await tx
    .selectFrom("task")
    .selectAll()
    .where("account_ref", "=", accountRef)
    .where((w) => w.or([w("state", "in", ["authentication_required", "outcome_unknown"]), w("suspect", "=", 1)]))
    .where("state", "not in", TERMINAL_STATES)
    .execute();
  for (const task of waiting) {
    if (task.state === "outcome_unknown" || task.suspect === 1) {
      await tx
        .updateTable("task")
        .set({ due_at: now, continuation_ref: null })
        .where("task_id", "=", task.task_id)
        .execute();
      continue;
    }
    const moved = await moveTask(tx, task, effectOf(core.catalogue, task), { type: "signed_in" }, now, {
      due_at: now,
      continuation_ref: null,
      watch_look_at: null,
    });
    if (!moved.ok) throw new Error("a task that waits for a sign-in can go on");
  }
}

/** What would be looked at later is judged now: its account is no longer connected (U42). */
export async function recallWatches(tx: Tx, accountRef: string, now: number): Promise<void> {
  await tx
    .updateTable("task")
    .set({ version: sql`version + 1`, due_at: now })
    .where("account_ref", "=", accountRef)
    .where("watch_ends_at", "is not", null)
    .where("state", "not in", TERMINAL_STATES)
    .execute();
}

/**
 * What a grant or an agent allowed is gone: each task under it that has not been submitted is looked at now. Its version
 * rises, so that a worker that judged the grant before cannot move it any more (CON-1).
 */
export async function recallUnsubmitted(
  tx: Tx,
  under: { readonly consentRef: string } | { readonly clientId: string },
  now: number,
): Promise<void> {
  const [column, value] =
    "consentRef" in under ? (["consent_ref", under.consentRef] as const) : (["client_id", under.clientId] as const);
  await tx
    .updateTable("task")
    .set({ due_at: now, version: sql`version + 1` })
    .where(column, "=", value)
    .where("submitted", "=", 0)
    .where("state", "not in", TERMINAL_STATES)
    .execute();
}
