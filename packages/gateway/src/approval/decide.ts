import { actionRecord, type Reason } from "@countersign/profile";
import { err, type Result } from "@countersign/wire";
import { z } from "zod";
import type { Core, Owner } from "../core.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import { findTask, type TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";
import { checkPasskey, passkeyAnswer } from "./passkey.ts";
import { type Decision, recordDecision } from "./record-decision.ts";
import type { ActionRow } from "./rows.ts";

/** What the approval page posts. It names the digest it recomputed from what it drew; who decides, it cannot say. */
export const approvalDecision = z
  .strictObject({
    decision: z.enum(["approved", "denied"]),
    action_digest: z.string().length(43),
    surface: z.strictObject({
      version: z.string().min(1).max(40),
      display_digest: z.string().length(43),
      build_digest: z.string().length(43).exactOptional(),
    }),
    reason: z.string().max(500).optional(),
    passkey: passkeyAnswer.exactOptional(),
  })
  .refine((d) => d.passkey === undefined || d.surface.build_digest !== undefined, {
    error: "a passkey is shown by a page that names its build",
    path: ["surface", "build_digest"],
  })
  // An assertion signs the record's digest, not the word yes or no: one that was given to refuse could be shown as a yes.
  .refine((d) => d.passkey === undefined || d.decision === "approved", {
    error: "a passkey approves; refusing takes none",
    path: ["passkey"],
  });
export type ApprovalDecisionInput = z.infer<typeof approvalDecision>;

export async function findAction(
  core: Core,
  owner: Owner,
  actionId: string,
): Promise<{ readonly action: ActionRow; readonly task: TaskRow } | undefined> {
  const action = await core.store.db
    .selectFrom("action")
    .selectAll()
    .where("action_id", "=", actionId)
    .executeTakeFirst();
  if (action === undefined) return undefined;
  const task = await findTask(core.store.db, owner, action.task_id);
  return task === undefined ? undefined : { action, task };
}

/**
 * The account holder's decision on one frozen record, from their own authenticated session (APR-3). Approving may take
 * more than a session, by the policy in force; refusing never does, for whoever may see a record may stop it.
 */
export async function decide(
  core: Core,
  owner: Owner,
  sessionHash: string,
  actionId: string,
  input: ApprovalDecisionInput,
): Promise<Result<ActionRow, Reason>> {
  const found = await findAction(core, owner, actionId);
  if (found === undefined) return err("not_found");
  const { action } = found;
  const record = actionRecord.parse(storedRecord(action.record));
  const { version, display_digest: displayDigest, build_digest: buildDigest } = input.surface;
  if (input.action_digest !== action.digest || displayDigest !== record.private["display_text"]) return err("conflict");
  const build = buildDigest === undefined ? {} : { build_digest: buildDigest };
  const surface = { id: "approval-page", version, display_digest: displayDigest, ...build };
  const kept = (approvalRef: string) => ({
    session_hash: sessionHash,
    note: input.reason === undefined ? null : sealText(core.sealer, `note:${approvalRef}`, input.reason),
  });
  const bySession: Decision = {
    decision: input.decision,
    method: "session",
    surface,
    auth: { method: "session", uv: false },
    kept,
  };
  if (input.passkey === undefined) return recordDecision(core, action, record, bySession);
  const proven = await checkPasskey(core, owner, action.digest, input.passkey);
  if (!proven.ok) return proven;
  const { auth, stored, stillEnrolled } = proven.value;
  return recordDecision(core, action, record, {
    ...bySession,
    method: "passkey",
    auth,
    kept: (approvalRef) => ({ ...kept(approvalRef), ...stored }),
    recheck: stillEnrolled,
  });
}

/** A decision on a record of somebody else: answered as if there were none, and noted (U21). */
export async function noteForeignDecision(core: Core, owner: Owner, actionId: string): Promise<void> {
  const row = await core.store.db
    .selectFrom("action")
    .select("action_id")
    .where("action_id", "=", actionId)
    .executeTakeFirst();
  if (row === undefined) return;
  core.log.warn("approval.not_the_holder", { action: row.action_id, tenant: owner.tenantId, person: owner.personId });
}
