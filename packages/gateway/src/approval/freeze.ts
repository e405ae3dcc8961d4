import { randomBytes } from "node:crypto";
import type { Observed, RouteKind } from "@countersign/plugin";
import {
  type ActionRecord,
  type ApprovalPolicy,
  actionRecord,
  type CommitOperation,
  canDisclose,
  displayText,
  makeDisclosure,
  sumsThatDisagree,
} from "@countersign/profile";
import {
  checkRecord,
  type Digest,
  digestOf,
  err,
  formatInstant,
  type Instant,
  type JsonObject,
  ok,
  parseInstant,
  type Result,
  toBase64Url,
} from "@countersign/wire";
import type { Core, KnownDestination } from "../core.ts";
import { RECORD_LIFE_MS } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import type { Tx } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { sealText } from "../vault/seal.ts";

const SALT_BYTES = 16;

export interface FreezeInput {
  readonly task: TaskRow;
  readonly operation: CommitOperation;
  readonly parameters: JsonObject;
  readonly destination: KnownDestination;
  readonly route: RouteKind;
  readonly observed: Observed<unknown>;
  readonly state: JsonObject;
  /** Limits in force: the grant's, and the request's own. */
  readonly limits: JsonObject;
  /** Who has to decide; it stands among the limits of the record, so that its digest binds it (U18). */
  readonly policy: ApprovalPolicy;
  readonly grantExpiresAt: number;
  readonly holderPseudonym: string;
}

export interface Frozen {
  readonly record: ActionRecord;
  readonly digest: Digest;
  readonly disclosures: readonly string[];
  readonly state: JsonObject;
  readonly expiresAt: number;
  readonly policy: ApprovalPolicy;
}

/**
 * Freezes what was observed into the immutable action record (APR-2): what the person will see is drawn from it, what
 * they decide is its digest. Personal text enters only as salted digests.
 */
export async function freeze(core: Core, input: FreezeInput): Promise<Result<Frozen, "terms_inconsistent">> {
  const { task, operation } = input;
  const terms = operation.terms.safeParse(input.observed.terms);
  if (!terms.success || operation.contradictions(input.parameters, terms.data).length > 0)
    return err("terms_inconsistent");
  // U27: nobody is asked about amounts that contradict each other, whichever operation they belong to.
  if (sumsThatDisagree(operation.meaning, terms.data).length > 0) return err("terms_inconsistent");
  const now = core.now();
  const quoted = quoteEnds(operation, terms.data);
  if (now >= quoted) return err("terms_inconsistent");
  const expiresAt = Math.min(task.request_expires_at, input.grantExpiresAt, now + RECORD_LIFE_MS, quoted);
  const personal = input.observed.personal ?? {};
  const texts = { display_text: displayText(operation.meaning, terms.data, personal), ...personal };
  // Escapes are longer than what they stand for: a text made of nothing else can outgrow what can be disclosed.
  if (!Object.values(texts).every(canDisclose)) return err("terms_inconsistent");
  const made = await Promise.all(
    Object.entries(texts).map(async ([name, value]) => ({
      name,
      ...(await makeDisclosure({ salt: salt(), name, value })),
    })),
  );
  const record = actionRecord.safeParse({
    typ: "countersign.action/1",
    profile: task.profile,
    issuer: core.issuer,
    action_id: core.newId("act"),
    task_id: task.task_id,
    nonce: salt(),
    created_at: formatInstant(now),
    expires_at: formatInstant(expiresAt as Instant),
    account_holder: input.holderPseudonym,
    account_ref: task.account_ref,
    consent_ref: task.consent_ref,
    agent: task.client_id,
    request_digest: task.request_digest,
    operation: operation.id,
    parameters: input.parameters,
    limits: { ...input.limits, approval: input.policy },
    route: { kind: input.route, origin: input.destination.origin, adapter: input.destination.adapter },
    terms: terms.data,
    private: Object.fromEntries(made.map((m) => [m.name, m.digest])),
    observed: { at: formatInstant(now), state_digest: await digestOf(input.state) },
    uses: 1,
  });
  if (!record.success || !checkRecord(record.data as JsonObject).ok) return err("terms_inconsistent");
  return ok({
    record: record.data,
    digest: await digestOf(record.data as JsonObject),
    disclosures: made.map((m) => m.disclosure),
    state: input.state,
    expiresAt,
    policy: input.policy,
  });
}

/** Until when the site stands by these terms; for ever where it does not say. An approval never outlives its quote (U29). */
function quoteEnds(operation: CommitOperation, terms: JsonObject): number {
  const { validUntil } = operation.meaning;
  const value = validUntil === undefined ? undefined : terms[validUntil];
  if (typeof value !== "string") return Number.MAX_SAFE_INTEGER;
  const at = parseInstant(value);
  return at.ok ? at.value : 0;
}

/** Stores a frozen record as the task's living one; an earlier living one is superseded in the same transaction (APR-4). */
export async function storeFrozen(core: Core, tx: Tx, task: TaskRow, frozen: Frozen): Promise<void> {
  const actionId = frozen.record.action_id;
  await supersede(tx, task.task_id, "superseded");
  await tx
    .insertInto("action")
    .values({
      action_id: actionId,
      task_id: task.task_id,
      digest: frozen.digest,
      record: JSON.stringify(frozen.record),
      disclosures: sealText(core.sealer, `disclosures:${actionId}`, JSON.stringify(frozen.disclosures)),
      status: frozen.policy === "none" ? "approved" : "pending",
      policy: frozen.policy,
      replaces: task.action_id,
      created_at: core.now(),
      expires_at: frozen.expiresAt,
    })
    .execute();
  if (frozen.policy === "none") return;
  await tell(core, tx, { tenantId: task.tenant_id, personId: task.person_id }, "approval", actionId);
}

/** Ends the living record of a task, if there is one: nothing can be approved or committed under it any more. */
export async function supersede(
  tx: Tx,
  taskId: string,
  status: "superseded" | "expired" | "withdrawn" | "stopped",
): Promise<void> {
  await tx
    .updateTable("action")
    .set({ status })
    .where("task_id", "=", taskId)
    .where("status", "in", ["pending", "approved"])
    .execute();
}

function salt(): string {
  return toBase64Url(randomBytes(SALT_BYTES));
}
