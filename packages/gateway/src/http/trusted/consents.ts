import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import { type ConsentRow, consentScope, findConsent, readScope } from "../../consent/consents.ts";
import { consentDecision, decideConsent, revokeConsent } from "../../consent/decide.ts";
import { narrowConsent } from "../../consent/narrow.ts";
import { leftOf, tasksUnder, usageOf } from "../../consent/usage.ts";
import { usedOf } from "../../consent/uses.ts";
import type { Core } from "../../core.ts";
import { GRANT_TASKS_SHOWN } from "../../limits.ts";
import type { ConsentTask, ConsentUsage, ConsentView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { type AddRoute, param } from "./trusted.ts";

const at = (ms: number) => formatInstant(ms as Instant);

export function registerConsents(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/consents", async (person) => {
    const rows = await core.store.db
      .selectFrom("consent")
      .selectAll()
      .where("tenant_id", "=", person.tenantId)
      .where("person_id", "=", person.personId)
      .orderBy("requested_at", "desc")
      .execute();
    return ok({ consents: await Promise.all(rows.map((row) => view(core, row))) });
  });
  add("GET", "/consents/:ref", async (person, request) => {
    const row = await findConsent(core.store.db, person, param(request, "ref"));
    return row === undefined ? err({ reason: "not_found" }) : ok(await fullView(core, row));
  });
  add("POST", "/consents/:ref/decision", async (person, request) => {
    const body = readBody(request, consentDecision);
    if (!body.ok) return body;
    const decided = await decideConsent(core, person, param(request, "ref"), body.value);
    return decided.ok ? ok(await fullView(core, decided.value)) : decided;
  });
  add("POST", "/consents/:ref/narrow", async (person, request) => {
    const body = readBody(request, consentScope);
    if (!body.ok) return body;
    const narrowed = await narrowConsent(core, person, param(request, "ref"), body.value);
    return narrowed.ok ? ok(await fullView(core, narrowed.value)) : narrowed;
  });
  add("POST", "/consents/:ref/revoke", async (person, request) => {
    const revoked = await revokeConsent(core, person, param(request, "ref"));
    return revoked.ok ? ok(await fullView(core, revoked.value)) : revoked;
  });
}

/** One grant with the tasks that it was used for. */
async function fullView(core: Core, row: ConsentRow): Promise<ConsentView> {
  const seen = await view(core, row);
  const rows = await tasksUnder(core.store.db, row.consent_ref, GRANT_TASKS_SHOWN);
  const tasks = rows.map((task): ConsentTask => {
    const counts = task.use_state !== null && task.use_state !== "released";
    return {
      task_id: task.task_id,
      operation_title: core.catalogue.get(task.operation)?.title ?? task.operation,
      state: task.state,
      created_at: at(task.created_at),
      ...(counts && task.amount_minor !== null && task.currency !== null
        ? { amount: { total_minor: task.amount_minor, currency: task.currency } }
        : {}),
    };
  });
  return { ...seen, usage: { ...seen.usage, tasks } };
}

async function usage(core: Core, row: ConsentRow): Promise<ConsentUsage> {
  const { db } = core.store;
  const { actions, uncertain, sums, lastUsedAt } = await usageOf(db, row.consent_ref);
  const limits = row.granted === null ? {} : readScope(row.granted).limits;
  return {
    actions,
    uncertain,
    sums: sums.map(({ currency, totalMinor }) => ({ currency, total_minor: totalMinor })),
    ...(lastUsedAt === undefined ? {} : { last_used_at: at(lastUsedAt) }),
    left: leftOf(limits, await usedOf(db, row, core.now())),
  };
}

async function view(core: Core, row: ConsentRow): Promise<ConsentView> {
  const { db } = core.store;
  const agent = await db
    .selectFrom("agent")
    .select("name")
    .where("client_id", "=", row.client_id)
    .executeTakeFirstOrThrow();
  const account =
    row.account_ref === null
      ? undefined
      : await db
          .selectFrom("account")
          .select(["account_ref", "name"])
          .where("account_ref", "=", row.account_ref)
          .executeTakeFirst();
  const used = await db
    .selectFrom("task")
    .select(({ fn }) => [fn.countAll<number>().as("tasks"), fn.sum<number>("submitted").as("submitted")])
    .where("consent_ref", "=", row.consent_ref)
    .executeTakeFirstOrThrow();
  const destination = core.destinations.get(row.destination);
  const lapsed = row.state === "granted" && row.expires_at !== null && core.now() >= row.expires_at;
  return {
    consent_ref: row.consent_ref,
    state: lapsed ? "expired" : row.state,
    agent: agent.name,
    client_id: row.client_id,
    destination: row.destination,
    destination_title: destination?.title ?? row.destination,
    ...(account === undefined ? {} : { account }),
    asked: readScope(row.asked),
    ...(row.granted === null ? {} : { granted: readScope(row.granted) }),
    purpose: row.purpose,
    requested_at: at(row.requested_at),
    ...(row.decided_at === null ? {} : { decided_at: at(row.decided_at) }),
    ...(row.revoked_at === null ? {} : { revoked_at: at(row.revoked_at) }),
    used: { tasks: Number(used.tasks), submitted: Number(used.submitted ?? 0) },
    usage: await usage(core, row),
    available_operations: offered(core, row.destination),
    available_routes: [...(destination?.byRoute.keys() ?? [])],
  };
}

/** What can be done at a destination, whichever way. */
export function offered(core: Core, destinationId: string): ConsentView["available_operations"] {
  const ids = new Set(
    [...(core.destinations.get(destinationId)?.byRoute.values() ?? [])].flatMap((d) =>
      d.entry.operations.map((o) => o.operation),
    ),
  );
  return [...ids].flatMap((id) => {
    const operation = core.catalogue.get(id);
    return operation === undefined ? [] : [{ id, title: operation.title, effect: operation.effect }];
  });
}
