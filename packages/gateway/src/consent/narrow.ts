import { actionRecord, observedAct, type Reason } from "@countersign/profile";
import { err, type JsonObject, ok, parseInstant, type Result } from "@countersign/wire";
import type { Refusal } from "../admission/refusal.ts";
import type { Core, Owner } from "../core.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import type { Db, Tx } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { type Allowed, checkGrant, checkLimits } from "./check.ts";
import { type ConsentRow, type ConsentScope, findConsent, readScope } from "./consents.ts";
import { usedNow } from "./uses.ts";
import { widened } from "./widened.ts";

/**
 * The person takes back a part of a live grant (CON-4): everything may only get narrower. What is being worked on meets
 * the new scope at its next step and in the boundary; tasks that wait for the person and no longer fit are looked at now,
 * so that nobody is asked to approve what could not pass.
 */
export async function narrowConsent(
  core: Core,
  owner: Owner,
  consentRef: string,
  scope: ConsentScope,
): Promise<Result<ConsentRow, Refusal>> {
  const narrowed = await core.store.transaction(async (tx): Promise<Result<ConsentRow, Refusal>> => {
    const row = await findConsent(tx, owner, consentRef);
    if (row === undefined) return err({ reason: "not_found" });
    const now = core.now();
    if (row.state !== "granted" || row.granted === null || row.expires_at === null || now >= row.expires_at)
      return err({ reason: "conflict" });
    const wider = widened(readScope(row.granted), scope);
    if (wider !== undefined)
      return err({ reason: "invalid_request", problems: [{ pointer: wider, rule: "wider than what was granted" }] });
    const until = parseInstant(scope.expires_at);
    if (!until.ok || until.value <= now)
      return err({ reason: "invalid_request", problems: [{ pointer: "/expires_at", rule: "in the future" }] });
    const change = { granted: JSON.stringify(scope), expires_at: until.value };
    await tx.updateTable("consent").set(change).where("consent_ref", "=", consentRef).execute();
    const after = { ...row, ...change };
    await wakeUnfit(core, tx, after, now);
    return ok(after);
  });
  if (narrowed.ok) core.poke();
  return narrowed;
}

async function wakeUnfit(core: Core, tx: Tx, consent: ConsentRow, now: number): Promise<void> {
  const waiting = await tx
    .selectFrom("task")
    .selectAll()
    .where("consent_ref", "=", consent.consent_ref)
    .where("submitted", "=", 0)
    .where("state", "in", ["authentication_required", "approval_required"])
    .execute();
  for (const task of waiting) {
    const operation = core.catalogue.get(task.operation);
    if (operation === undefined) continue;
    const allowed = checkGrant(consent, { accountRef: task.account_ref, operation }, now);
    const proposal = allowed.ok ? await livingProposal(core, tx, task, allowed.value, now) : undefined;
    if (!allowed.ok || proposal?.fits.ok === false)
      await tx.updateTable("task").set({ due_at: now }).where("task_id", "=", task.task_id).execute();
  }
}

/** What waits for the person's decision, and whether its terms fit into the limits as they are now. */
export interface Proposal {
  readonly expiresAt: number;
  readonly fits: Result<undefined, Reason>;
}

export async function livingProposal(
  core: Core,
  db: Db,
  task: TaskRow,
  { limits }: Pick<Allowed, "limits">,
  now: number,
): Promise<Proposal | undefined> {
  const operation = core.catalogue.get(task.operation);
  const action = await db
    .selectFrom("action")
    .select(["record", "expires_at"])
    .where("task_id", "=", task.task_id)
    .where("status", "in", ["pending", "approved"])
    .executeTakeFirst();
  if (action === undefined || operation?.effect !== "commit") return undefined;
  const { terms } = actionRecord.parse(storedRecord(action.record));
  const used = await usedNow(db, task.consent_ref, limits, now);
  return {
    expiresAt: action.expires_at,
    fits: checkLimits(limits, observedAct(operation, terms as JsonObject), used),
  };
}
