import {
  type AccountsView,
  type CapabilitiesView,
  type ConsentView,
  isTerminal,
  type TaskView,
  TERMINAL_STATES,
  tightestPolicy,
} from "@countersign/profile";
import { err, formatInstant, type Instant, isJsonObject, type JsonObject, ok, parseJson } from "@countersign/wire";
import { z } from "zod";
import { admit } from "./admission/admit.ts";
import { type Caller, caller } from "./admission/caller.ts";
import type { Refusal } from "./admission/refusal.ts";
import { submitEvidence } from "./approval/evidence.ts";
import { tenantPolicies } from "./approval/policy.ts";
import { connectionsOf, findAccount } from "./connection/accounts.ts";
import { listDetails } from "./connection/details.ts";
import { type ConsentRow, findConsent, readScope } from "./consent/consents.ts";
import { requestConsent } from "./consent/decide.ts";
import { limitsJson } from "./consent/limits.ts";
import { leftOf } from "./consent/usage.ts";
import { usedOf } from "./consent/uses.ts";
import type { Core } from "./core.ts";
import { latestReceipt } from "./evidence/bundle.ts";
import { EVENTS_PAGE, TASKS_PAGE } from "./limits.ts";
import type { OAuth } from "./oauth/oauth.ts";
import { noteSeen } from "./people/seen.ts";
import type { GatewayPort } from "./port.ts";
import { addWebhook, listWebhooks, removeWebhook } from "./task-events/webhooks.ts";
import { withdraw } from "./tasks/cancel.ts";
import { pageOfTasks } from "./tasks/page.ts";
import { eventsAfter, findTask, type TaskRow } from "./tasks/tasks.ts";
import { eventBody, taskBody } from "./tasks/view.ts";
import { openText } from "./vault/seal.ts";

const notFound = err<Refusal>({ reason: "not_found" });

export function createPort(core: Core, oauth: OAuth): GatewayPort {
  /** An agent sees its own tasks only: another agent of the same person is a stranger to it. */
  const ownTask = async (who: Caller, taskId: string): Promise<TaskRow | undefined> => {
    const task = await findTask(core.store.db, who, taskId);
    return task?.client_id === who.clientId ? task : undefined;
  };
  const body = async (task: TaskRow): Promise<TaskView> => {
    const receipt = await latestReceipt(core, task.task_id);
    const receiptRef = receipt === undefined ? undefined : `/v1/tasks/${task.task_id}/receipt`;
    return taskBody(task, { receiptRef, twinRef: await ownTwin(task), decision: await waitingDecision(task) });
  };

  const waitingDecision = async ({ state, task_id: taskId }: TaskRow) => {
    if (state !== "approval_required") return undefined;
    const row = await core.store.db
      .selectFrom("action")
      .select(["digest", "expires_at"])
      .where("task_id", "=", taskId)
      .where("status", "=", "pending")
      .executeTakeFirst();
    return row === undefined ? undefined : { digest: row.digest, expiresAt: row.expires_at };
  };

  /** The twin that a task waits for, where it is the same agent's: another agent is a stranger (REQ-2). */
  const ownTwin = async (task: TaskRow): Promise<string | undefined> => {
    if (task.held_by === null) return undefined;
    const twin = await core.store.db
      .selectFrom("task")
      .select("task_id")
      .where("task_id", "=", task.held_by)
      .where("client_id", "=", task.client_id)
      .executeTakeFirst();
    return twin?.task_id;
  };

  return {
    async authenticate(authorization, resource, proof) {
      const verified = await oauth.verifyAccessToken(authorization, resource, proof);
      if (verified.ok) {
        await noteSeen(core, verified.value.clientId);
        return ok(caller(verified.value));
      }
      core.log.info("oauth.token_refused", { why: verified.reason });
      return err({ reason: verified.reason === "unavailable" ? "busy" : "unauthenticated" });
    },

    async submit(who, bytes) {
      const admitted = await admit(core, who, bytes);
      return admitted.ok ? ok({ replayed: admitted.value.replayed, task: await body(admitted.value.task) }) : admitted;
    },

    async task(who, taskId) {
      const task = await ownTask(who, taskId);
      return task === undefined ? notFound : ok(await body(task));
    },

    stepEnd: (who, taskId, signal) => core.steps.next({ clientId: who.clientId, taskId }, signal),

    async tasks(who, filter) {
      let query = core.store.db
        .selectFrom("task")
        .selectAll()
        .where("tenant_id", "=", who.tenantId)
        .where("person_id", "=", who.personId)
        .where("client_id", "=", who.clientId);
      if (filter.state === "open") query = query.where("state", "not in", TERMINAL_STATES);
      const rows = await query.orderBy("created_at", "desc").limit(TASKS_PAGE).execute();
      return ok({ tasks: await Promise.all(rows.map(body)) });
    },

    async taskPage(who, query) {
      const page = await pageOfTasks(core.store.db, who, query);
      if (!page.ok) return err({ reason: "invalid_request", problems: [{ pointer: "/cursor", rule: "not a page's" }] });
      const { rows, next, total } = page.value;
      return ok({ tasks: await Promise.all(rows.map(body)), total, ...(next === undefined ? {} : { next }) });
    },

    async result(who, taskId) {
      const task = await ownTask(who, taskId);
      if (task === undefined) return notFound;
      if (!isTerminal(task.state)) return err({ reason: "not_ready" });
      if (task.result === null) return notFound;
      if (task.result_expires_at === null || core.now() >= task.result_expires_at) return err({ reason: "gone" });
      const value = parseJson(openText(core.sealer, `result:${task.task_id}`, task.result), {
        maxBytes: Number.MAX_SAFE_INTEGER,
      });
      if (!value.ok || !isJsonObject(value.value)) throw new Error("a stored result is readable");
      return ok({
        task_id: task.task_id,
        operation: task.operation,
        result: value.value,
        expires_at: formatInstant(task.result_expires_at as Instant),
      });
    },

    async receipt(who, taskId) {
      const task = await ownTask(who, taskId);
      if (task === undefined) return notFound;
      const receipt = await latestReceipt(core, taskId);
      if (receipt === undefined) return err({ reason: "not_ready" });
      return ok({
        receipt_id: receipt.receiptId,
        account_seq: receipt.accountSeq,
        receipt: receipt.jws,
        keys: (await core.keys.current()).keySet,
      });
    },

    async events(who, taskId, after) {
      const task = await ownTask(who, taskId);
      if (task === undefined) return notFound;
      const rows = await eventsAfter(core.store.db, taskId, after, EVENTS_PAGE);
      return ok({ events: rows.map(eventBody), done: isTerminal(task.state) && rows.length < EVENTS_PAGE });
    },

    async evidence(who, taskId, json) {
      const task = await ownTask(who, taskId);
      if (task === undefined) return notFound;
      const taken = await submitEvidence(core, task, json);
      if (!taken.ok) return taken;
      const now = await ownTask(who, taskId);
      return now === undefined ? notFound : ok(await body(now));
    },

    async cancel(who, taskId) {
      if ((await ownTask(who, taskId)) === undefined) return notFound;
      const done = await withdraw(core, who, taskId, "agent");
      return done.ok ? ok({ ...(await body(done.value.task)), withdrawal: done.value.withdrawal }) : notFound;
    },

    async accounts(who) {
      const rows = await core.store.db
        .selectFrom("account")
        .innerJoin("consent", "consent.account_ref", "account.account_ref")
        .selectAll("account")
        .distinct()
        .where("account.tenant_id", "=", who.tenantId)
        .where("account.person_id", "=", who.personId)
        .where("consent.client_id", "=", who.clientId)
        .where("consent.state", "=", "granted")
        .where("consent.expires_at", ">", core.now())
        .execute();
      const accounts = await Promise.all(
        rows.map(
          async (row): Promise<AccountsView["accounts"][number]> => ({
            account_ref: row.account_ref,
            destination: row.destination,
            connections: (await connectionsOf(core.store.db, row.account_ref)).map((c) => ({
              route: c.route,
              state: c.state,
            })),
          }),
        ),
      );
      return ok({ accounts });
    },

    async capabilities(who, accountRef) {
      const account = await findAccount(core.store.db, who, accountRef);
      const grants = await grantsFor(core, who, accountRef);
      if (account === undefined || grants.length === 0) return notFound;
      return ok(await capabilitiesOf(core, who.tenantId, account.destination, accountRef));
    },

    async requestConsent(who, json) {
      const row = await requestConsent(core, who, json);
      return row.ok ? ok(await consentBody(core, row.value)) : row;
    },

    async webhooks(who) {
      return ok({ webhooks: [...(await listWebhooks(core, who))] });
    },

    async addWebhook(who, json) {
      return addWebhook(core, who, json);
    },

    async removeWebhook(who, webhookId) {
      return (await removeWebhook(core, who, webhookId)) ? ok(undefined) : notFound;
    },

    async consents(who) {
      const rows = await standing(core, who).execute();
      return ok({ consents: await Promise.all(rows.map((row) => consentBody(core, row))) });
    },

    async consent(who, consentRef) {
      const row = await findConsent(core.store.db, who, consentRef);
      return row === undefined ? notFound : ok(await consentBody(core, row));
    },
  };
}

function grantsFor(core: Core, who: Caller, accountRef: string): Promise<readonly ConsentRow[]> {
  return standing(core, who).where("account_ref", "=", accountRef).execute();
}

/** The grants of an agent that stand now. */
function standing(core: Core, who: Caller) {
  return core.store.db
    .selectFrom("consent")
    .selectAll()
    .where("tenant_id", "=", who.tenantId)
    .where("client_id", "=", who.clientId)
    .where("person_id", "=", who.personId)
    .where("state", "=", "granted")
    .where("expires_at", ">", core.now())
    .orderBy("consent_ref");
}

/** What can be done at the account, by which routes, with schemas; and the rows that a request may name (REQ-6). */
async function capabilitiesOf(
  core: Core,
  tenantId: string,
  destinationId: string,
  accountRef: string,
): Promise<CapabilitiesView> {
  const demanded = await tenantPolicies(core.store.db, tenantId);
  const destination = core.destinations.get(destinationId);
  const byOperation = new Map<string, string[]>();
  for (const [route, entry] of destination?.byRoute ?? []) {
    for (const adapter of entry.entry.operations)
      byOperation.set(adapter.operation, [...(byOperation.get(adapter.operation) ?? []), route]);
  }
  const operations = [...byOperation.entries()].flatMap(([id, routes]): CapabilitiesView["operations"] => {
    const operation = core.catalogue.get(id);
    if (operation === undefined) return [];
    const schema = (of: z.ZodType, io: "input" | "output") =>
      z.toJSONSchema(of, { io, unrepresentable: "any" }) as unknown as JsonObject;
    return [
      {
        operation: id,
        title: operation.title,
        effect: operation.effect,
        routes,
        parameters: schema(operation.parameters, "input"),
        result: schema(operation.result, "output"),
        ...(operation.effect === "commit" ? { approval: tightestPolicy(operation.approval, demanded.get(id)) } : {}),
      },
    ];
  });
  const references = (await listDetails(core.store.db, accountRef)).map((d) => ({
    ref: d.ref,
    kind: d.kind,
    label: d.label,
  }));
  return { account_ref: accountRef, destination: destinationId, operations, references };
}

const CONSENT_NEXT: Readonly<Partial<Record<ConsentRow["state"], string>>> = {
  requested: "Ask the account holder to decide in the trusted interface; then poll.",
  revoked:
    "Nothing: work under this grant is stopped. What was submitted is not undone; the gateway may still read the account to learn what became of its own open submission.",
};

/** A grant as its agent sees it, with what its own use has left of the limits (CON-3). */
async function consentBody(core: Core, row: ConsentRow): Promise<ConsentView> {
  const now = core.now();
  const lapsed = row.state === "granted" && row.expires_at !== null && now >= row.expires_at;
  const granted = row.granted === null ? undefined : readScope(row.granted);
  return {
    consent_ref: row.consent_ref,
    state: lapsed ? "expired" : row.state,
    destination: row.destination,
    ...(row.account_ref === null || row.state !== "granted" ? {} : { account_ref: row.account_ref }),
    ...(granted === undefined
      ? {}
      : {
          operations: granted.operations,
          routes: granted.routes,
          limits: limitsJson(granted.limits),
          left: leftOf(granted.limits, await usedOf(core.store.db, row, now)) as JsonObject,
          expires_at: granted.expires_at,
        }),
    next_step: CONSENT_NEXT[row.state] ?? "None.",
  };
}
