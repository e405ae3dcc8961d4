import { type ActionRecord, actionRecord, type Reason } from "@countersign/profile";
import { canonicalJson, digestOf, err, type Json, ok, type Result } from "@countersign/wire";
import { z } from "zod";
import { type Refusal, schemaRefusal } from "../admission/refusal.ts";
import type { Core } from "../core.ts";
import { storedRecord } from "../evidence/sequencer.ts";
import { EVIDENCE_CHARS_MAX } from "../limits.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";
import { hear, heardProblem } from "./hear.ts";
import { policyInForce, policyToSatisfy, shortOf } from "./policy.ts";
import { recordDecision } from "./record-decision.ts";
import type { ActionRow } from "./rows.ts";

/** What an agent brings from an authority. It is carried by the agent and believed for its own proof alone (APR-3). */
export const evidenceInput = z.strictObject({
  authority: z
    .string()
    .max(64)
    .regex(/^[a-z0-9][a-z0-9._-]*$/),
  evidence: z.json().refine((value) => canonicalJson(value as Json).length <= EVIDENCE_CHARS_MAX, "too large"),
});

/**
 * Evidence of an authority for the record that waits. It decides nothing unless the account holder enrolled that
 * authority for the operation, the policy in force lets an authority decide, and the authority itself says that the
 * evidence approves this very record. Refused evidence leaves the record waiting for the person.
 */
export async function submitEvidence(core: Core, task: TaskRow, body: unknown): Promise<Result<undefined, Refusal>> {
  const parsed = evidenceInput.safeParse(body);
  if (!parsed.success) return err(schemaRefusal(parsed.error));
  const { authority } = parsed.data;
  const evidence = parsed.data.evidence as Json;
  const action = await waiting(core, task);
  if (!action.ok) return err({ reason: action.reason });
  const record = actionRecord.parse(storedRecord(action.value.record));
  const short = await tooLittle(core, task, record);
  if (short !== undefined) return err({ reason: short });
  const heard = await hear(core, task, record, authority, evidence);
  if (!heard.ok) return err({ reason: heard.reason });
  const decided = await recordDecision(core, action.value, record, {
    decision: "approved",
    method: "authority",
    // Nobody drew a page; the text that one would have shown is named all the same, for it is the record's own.
    surface: { id: "authority", version: "1", display_digest: record.private["display_text"] ?? "" },
    auth: { method: "authority", uv: false, authority, evidence_digest: await digestOf(evidence) },
    kept: (approvalRef) => ({
      session_hash: "",
      authority,
      evidence: sealText(core.sealer, `authority-evidence:${approvalRef}`, canonicalJson(evidence)),
    }),
    recheck: (tx) => heardProblem(tx, authority, heard.value, core.now()),
  });
  return decided.ok ? ok(undefined) : err({ reason: decided.reason });
}

async function waiting(core: Core, task: TaskRow): Promise<Result<ActionRow, Reason>> {
  const row = await core.store.db
    .selectFrom("action")
    .selectAll()
    .where("action_id", "=", task.action_id ?? "")
    .executeTakeFirst();
  if (row === undefined) return err("not_ready");
  // An approved one goes on to the same answer as for a person who repeats a decision.
  if (row.status !== "approved" && task.state !== "approval_required") return err("conflict");
  return ok(row);
}

async function tooLittle(core: Core, task: TaskRow, record: ActionRecord): Promise<Reason | undefined> {
  const operation = core.catalogue.get(task.operation);
  if (operation?.effect !== "commit") return "not_ready";
  const { db } = core.store;
  const consent = await db
    .selectFrom("consent")
    .select("granted")
    .where("consent_ref", "=", task.consent_ref)
    .executeTakeFirst();
  const inForce = await policyInForce(db, task.tenant_id, operation, consent);
  return shortOf(policyToSatisfy(inForce, record), "authority");
}
