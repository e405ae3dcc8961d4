import {
  businessRecord,
  isTerminal,
  type Operation,
  PROFILE_ID,
  REQUEST_DEPTH_MAX,
  type Reason,
  type RequestEnvelope,
  requestEnvelope,
  requestedAct,
  TASK_STATES,
} from "@countersign/profile";
import {
  DAY_MS,
  digestOf,
  err,
  isJsonObject,
  type JsonObject,
  ok,
  parseInstant,
  parseJson,
  type Result,
} from "@countersign/wire";
import { storedCalledBy } from "../calling-identity/called-by.ts";
import { checkGrant, checkHours, checkLimits, type Used } from "../consent/check.ts";
import { type ConsentRow, findConsent } from "../consent/consents.ts";
import { usedOf } from "../consent/uses.ts";
import type { Core } from "../core.ts";
import { insertReceipt } from "../evidence/leaves.ts";
import { REQUEST_HORIZON_MS, TASKS_OPEN_MAX } from "../limits.ts";
import type { Tx } from "../store/store.ts";
import { appendEvent, moveTask, readTask, type TaskRow } from "../tasks/tasks.ts";
import { unresolvedTwin, wishDigest } from "../tasks/twin.ts";
import { watchEndOf, watchObjection } from "../watch/admitted.ts";
import type { Caller } from "./caller.ts";
import { notOffered, offeredAt } from "./not-offered.ts";
import { jsonRefusal, type Refusal, schemaRefusal } from "./refusal.ts";

export interface Admitted {
  readonly task: TaskRow;
  /** True when the idempotency key named an existing task, answered in its present state (REQ-4). */
  readonly replayed: boolean;
}

interface Checked {
  readonly request: RequestEnvelope;
  readonly operation: Operation;
  readonly parameters: JsonObject;
  readonly recordDigest: string;
  readonly requestDigest: string;
  /** Of a commit alone: two equal reads hurt nobody. */
  readonly wishDigest: string | null;
  readonly expiresAt: number;
  /** Of a watch alone. */
  readonly watchEndsAt: number | undefined;
}

/**
 * Takes a request: shape first (no task), then whose refs they are (no task), then the claim of the idempotency key
 * and the task in one transaction. A task that fails grant, limit or expiry is made and stopped at once (REQ-9).
 */
export async function admit(core: Core, caller: Caller, body: Uint8Array): Promise<Result<Admitted, Refusal>> {
  const checked = await checkShape(core, body);
  if (!checked.ok) return checked;
  const admitted = await core.store.transaction(async (tx) => {
    const claimed = await claim(core, tx, caller, checked.value);
    // Where transactions share a commit the worker takes the task in the one that stores it, and a sync is saved.
    if (core.store.kind === "sqlite" && isNew(claimed)) core.poke();
    return claimed;
  });
  if (isNew(admitted)) core.poke();
  return admitted;
}

function isNew(admitted: Result<Admitted, Refusal>): boolean {
  return admitted.ok && !admitted.value.replayed;
}

async function checkShape(core: Core, body: Uint8Array): Promise<Result<Checked, Refusal>> {
  const json = parseJson(body, { maxDepth: REQUEST_DEPTH_MAX });
  if (!json.ok) return err(jsonRefusal(json.reason));
  if (!isJsonObject(json.value))
    return err({ reason: "invalid_request", problems: [{ pointer: "", rule: "must be object" }] });
  if (typeof json.value["profile"] === "string" && json.value["profile"] !== PROFILE_ID) {
    return err({ reason: "unsupported_profile", problems: [{ pointer: "/profile", rule: "not offered here" }] });
  }
  const envelope = requestEnvelope.safeParse(json.value);
  if (!envelope.success) return err(schemaRefusal(envelope.error));
  const request = envelope.data;
  const operation = core.catalogue.get(request.operation);
  if (operation === undefined) {
    return err({ reason: "unknown_operation", problems: [{ pointer: "/operation", rule: "not in the catalogue" }] });
  }
  const parameters = operation.parameters.safeParse(request.parameters);
  if (!parameters.success) return err(schemaRefusal(parameters.error, "/parameters"));
  const expiresAt = parseInstant(request.expires_at);
  if (!expiresAt.ok)
    return err({ reason: "invalid_request", problems: [{ pointer: "/expires_at", rule: expiresAt.reason }] });
  return ok({
    request,
    operation,
    parameters: parameters.data,
    recordDigest: await digestOf(businessRecord(request) as JsonObject),
    requestDigest: await digestOf(json.value),
    wishDigest:
      operation.effect === "commit" ? await wishDigest(request.account_ref, operation.id, parameters.data) : null,
    expiresAt: expiresAt.value,
    watchEndsAt: watchEndOf(operation, parameters.data),
  });
}

async function claim(core: Core, tx: Tx, caller: Caller, checked: Checked): Promise<Result<Admitted, Refusal>> {
  const { request, operation } = checked;
  const account = await tx
    .selectFrom("account")
    .selectAll()
    .where("account_ref", "=", request.account_ref)
    .where("tenant_id", "=", caller.tenantId)
    .where("person_id", "=", caller.personId)
    .executeTakeFirst();
  const consent = await findConsent(tx, caller, request.consent_ref);
  if (account === undefined || consent === undefined) return err({ reason: "not_found" });

  const earlier = await tx
    .selectFrom("idempotency")
    .selectAll()
    .where("client_id", "=", caller.clientId)
    .where("person_id", "=", caller.personId)
    .where("account_ref", "=", request.account_ref)
    .where("idempotency_key", "=", request.idempotency_key)
    .executeTakeFirst();
  if (earlier !== undefined) {
    if (earlier.record_digest !== checked.recordDigest)
      return err({ reason: "idempotency_conflict", taskId: earlier.task_id });
    return ok({ task: await readTask(tx, earlier.task_id), replayed: true });
  }

  const destination = core.destinations.get(account.destination);
  if (!offeredAt(destination).includes(operation.id)) return err(notOffered(destination, "/operation"));
  if ((await openTasks(tx, caller)) >= TASKS_OPEN_MAX) return err({ reason: "rate_limited" });

  const now = core.now();
  if (checked.watchEndsAt !== undefined) {
    const asked = { operation, endsAt: checked.watchEndsAt, requestExpiresAt: checked.expiresAt };
    const objection = await watchObjection(tx, caller, asked, now);
    if (objection !== undefined) return err(objection);
  }
  if (checked.expiresAt > Math.max(now + REQUEST_HORIZON_MS, checked.watchEndsAt ?? 0)) {
    const rule = `at most ${REQUEST_HORIZON_MS / DAY_MS} days ahead`;
    return err({ reason: "invalid_request", problems: [{ pointer: "/expires_at", rule }] });
  }
  const task = await insertTask(core, tx, caller, checked, now);
  const stop = firstObjection(checked, consent, await usedOf(tx, consent, now), now);
  if (stop !== undefined) {
    const event =
      stop === "request_expired"
        ? ({ type: "expired", reason: stop } as const)
        : ({ type: "denied", reason: stop } as const);
    const moved = await moveTask(tx, task, operation.effect, event, now, { due_at: null });
    if (!moved.ok) throw new Error("a fresh task can always be stopped");
    await insertReceipt(core, tx, moved.value);
    return ok({ task: moved.value, replayed: false });
  }
  return ok({ task, replayed: false });
}

function firstObjection(checked: Checked, consent: ConsentRow, used: Used, now: number): Reason | undefined {
  if (now >= checked.expiresAt) return "request_expired";
  const { operation, request, parameters } = checked;
  const allowed = checkGrant(consent, { accountRef: request.account_ref, operation }, now);
  if (!allowed.ok) return allowed.reason;
  const { limits } = allowed.value;
  const inHours = checkHours(limits, now);
  if (!inHours.ok) return inHours.reason;
  if (operation.effect !== "commit") return undefined;
  const fits = checkLimits(limits, requestedAct(operation, parameters), used);
  return fits.ok ? undefined : fits.reason;
}

async function insertTask(core: Core, tx: Tx, caller: Caller, checked: Checked, now: number): Promise<TaskRow> {
  const { request } = checked;
  const taskId = core.newId("task");
  const wish = { task_id: taskId, account_ref: request.account_ref, wish_digest: checked.wishDigest };
  const twin = await unresolvedTwin(tx, wish);
  const task = await tx
    .insertInto("task")
    .values({
      ...wish,
      held_by: twin ?? null,
      tenant_id: caller.tenantId,
      person_id: caller.personId,
      client_id: caller.clientId,
      consent_ref: request.consent_ref,
      profile: request.profile,
      operation: request.operation,
      request_id: request.request_id,
      request: JSON.stringify(request),
      request_digest: checked.requestDigest,
      record_digest: checked.recordDigest,
      request_expires_at: checked.expiresAt,
      state: "received",
      reason: null,
      version: 1,
      submitted: 0,
      due_at: twin === undefined ? now : checked.expiresAt,
      fence: 0,
      tries: 0,
      created_at: now,
      updated_at: now,
      called_by: storedCalledBy(caller.calledBy),
      watch_ends_at: checked.watchEndsAt ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("idempotency")
    .values({
      client_id: caller.clientId,
      person_id: caller.personId,
      account_ref: request.account_ref,
      idempotency_key: request.idempotency_key,
      task_id: taskId,
      record_digest: checked.recordDigest,
      created_at: now,
    })
    .execute();
  await appendEvent(tx, { taskId, at: now, state: "received" });
  return task;
}

/** Named one by one, so that the index finds them and does not walk over all that is settled. */
const OPEN_STATES = TASK_STATES.filter((state) => !isTerminal(state));

async function openTasks(tx: Tx, caller: Caller): Promise<number> {
  const row = await tx
    .selectFrom("task")
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .where("client_id", "=", caller.clientId)
    .where("state", "in", OPEN_STATES)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}
