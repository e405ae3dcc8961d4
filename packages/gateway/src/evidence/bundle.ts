import { isTerminal } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import type { ApprovalRow } from "../approval/rows.ts";
import type { Core } from "../core.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { openText } from "../vault/seal.ts";
import { storedRecord } from "./sequencer.ts";

/** The newest signed receipt of a task; undefined until the sequencer has signed it. */
export async function latestReceipt(
  core: Core,
  taskId: string,
): Promise<{ readonly receiptId: string; readonly accountSeq: number; readonly jws: string } | undefined> {
  const row = await core.store.db
    .selectFrom("leaf")
    .selectAll()
    .where("task_id", "=", taskId)
    .where("kind", "=", "receipt")
    .orderBy("leaf_id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.jws === null || row.account_seq === null) return undefined;
  return { receiptId: row.record_id, accountSeq: row.account_seq, jws: row.jws };
}

/**
 * Everything that an offline verification needs, for the account holder alone: the action, what of its private
 * members is disclosed, the approval, the receipt and the key set (approval-evidence section 4).
 */
export async function buildBundle(core: Core, task: TaskRow): Promise<JsonObject | undefined> {
  const receipt = await latestReceipt(core, task.task_id);
  // A receipt that waits for its signature makes the bundle wait: one without it would say less than is known.
  if (receipt === undefined && isTerminal(task.state)) return undefined;
  const action =
    task.action_id === null
      ? undefined
      : await core.store.db.selectFrom("action").selectAll().where("action_id", "=", task.action_id).executeTakeFirst();
  const approval =
    action === undefined
      ? undefined
      : await core.store.db
          .selectFrom("approval")
          .selectAll()
          .where("action_id", "=", action.action_id)
          .executeTakeFirst();
  if (receipt === undefined && approval === undefined) return undefined;
  return {
    typ: "countersign.bundle/1",
    ...(action === undefined
      ? {}
      : { action: storedRecord(action.record), disclosures: readDisclosures(core, action) }),
    ...(approval === undefined ? {} : { approval: approval.jws, ...(await passkeyParts(core, approval)) }),
    ...(receipt === undefined ? {} : { receipt: receipt.jws }),
    keys: core.keys.keySet,
  };
}

/** The passkey's answer and the signed record of the passkey itself, where one decided. */
async function passkeyParts(core: Core, approval: ApprovalRow): Promise<JsonObject> {
  if (approval.passkey === null || approval.credential_id === null) return {};
  const credential = await core.store.db
    .selectFrom("credential")
    .select("jws")
    .where("credential_id", "=", approval.credential_id)
    .executeTakeFirstOrThrow();
  return { passkey: storedRecord(approval.passkey), credential: credential.jws };
}

/** The salted disclosures of an action's private members, sealed at rest because they are personal. */
export function readDisclosures(
  core: Core,
  action: { readonly action_id: string; readonly disclosures: Uint8Array },
): readonly string[] {
  const value: unknown = JSON.parse(openText(core.sealer, `disclosures:${action.action_id}`, action.disclosures));
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === "string"))
    throw new Error("stored disclosures are texts");
  return value;
}
