import { actionRecord } from "@countersign/profile";
import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import { listCredentials, usableFrom } from "../../approval/credentials.ts";
import { approvalDecision, decide, findAction, noteForeignDecision } from "../../approval/decide.ts";
import { earlierEqual } from "../../approval/earlier.ts";
import { policyInForce, policyToSatisfy } from "../../approval/policy.ts";
import type { ActionRow } from "../../approval/rows.ts";
import type { Core } from "../../core.ts";
import { readDisclosures } from "../../evidence/bundle.ts";
import { storedRecord } from "../../evidence/sequencer.ts";
import { askedAgain } from "../../execution/meanwhile.ts";
import type { TaskRow } from "../../tasks/tasks.ts";
import type { ApprovalView } from "../../trusted/contract.ts";
import { openText } from "../../vault/seal.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { type AddRoute, param } from "./trusted.ts";

export function registerApprovals(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/approvals/:id", async (person, request) => {
    const found = await findAction(core, person, param(request, "id"));
    return found === undefined ? err({ reason: "not_found" }) : ok(await view(core, found.action, found.task));
  });
  add("POST", "/approvals/:id/decision", async (person, request) => {
    const id = param(request, "id");
    // Whose record it is comes before what is said about it: a stranger learns nothing from a body.
    if ((await findAction(core, person, id)) === undefined) {
      await noteForeignDecision(core, person, id);
      return err({ reason: "not_found" });
    }
    const body = readBody(request, approvalDecision);
    if (!body.ok) return body;
    const decided = await decide(core, person, person.sessionHash, id, body.value);
    if (!decided.ok) return err({ reason: decided.reason });
    const found = await findAction(core, person, id);
    return found === undefined ? err({ reason: "not_found" }) : ok(await view(core, found.action, found.task));
  });
}

/** The page draws from the record alone; the rest says whose it is and where it stands. */
async function view(core: Core, action: ActionRow, task: TaskRow): Promise<ApprovalView> {
  const { db } = core.store;
  const operation = core.catalogue.get(task.operation);
  if (operation?.effect !== "commit") throw new Error("an action belongs to a commit");
  const agent = await db
    .selectFrom("agent")
    .select("name")
    .where("client_id", "=", task.client_id)
    .executeTakeFirstOrThrow();
  const account = await db
    .selectFrom("account")
    .selectAll()
    .where("account_ref", "=", task.account_ref)
    .executeTakeFirstOrThrow();
  const approval = await db
    .selectFrom("approval")
    .select(["approval_ref", "decided_at", "note", "method", "authority"])
    .where("action_id", "=", action.action_id)
    .executeTakeFirst();
  const replaced =
    action.replaces === null
      ? undefined
      : await db.selectFrom("action").selectAll().where("action_id", "=", action.replaces).executeTakeFirst();
  const destination = core.destinations.get(account.destination);
  const consent = await db
    .selectFrom("consent")
    .select(["granted", "purpose"])
    .where("consent_ref", "=", task.consent_ref)
    .executeTakeFirst();
  const record = storedRecord(action.record);
  const policy = policyToSatisfy(
    await policyInForce(db, task.tenant_id, operation, consent),
    actionRecord.parse(record),
  );
  const status = statusOf(core, action, task);
  const { terms } = actionRecord.parse(record);
  const equal = status === "pending" ? await earlierEqual(core, task, operation, terms) : [];
  return {
    action_id: action.action_id,
    task_id: task.task_id,
    action: record,
    action_digest: action.digest,
    disclosures: readDisclosures(core, action),
    meaning: operation.meaning,
    operation_title: operation.title,
    agent: agent.name,
    account: {
      name: account.name,
      destination_title: destination?.title ?? account.destination,
      origin: destination?.origin ?? "",
    },
    policy,
    ...(policy === "passkey" && status === "pending" ? { passkeys: await passkeysFor(core, task) } : {}),
    status,
    ...(approval === undefined
      ? {}
      : { decided_at: formatInstant(approval.decided_at as Instant), decided_by: approval.method }),
    ...(approval === undefined || approval.authority === null
      ? {}
      : { authority: core.authorities.get(approval.authority)?.title ?? approval.authority }),
    ...(approval?.note ? { note: openText(core.sealer, `note:${approval.approval_ref}`, approval.note) } : {}),
    ...(replaced === undefined
      ? {}
      : {
          changed_from: storedRecord(replaced.record),
          changed_from_disclosures: readDisclosures(core, replaced),
        }),
    ...(equal.length === 0 ? {} : { earlier: equal }),
    ...(status === "pending" && (await askedAgain(db, task.task_id, action.created_at))
      ? { may_be_done: true as const }
      : {}),
    // A client that was let in without asking by name said nothing.
    ...(consent === undefined || consent.purpose === "" ? {} : { purpose: consent.purpose }),
    task_state: task.state,
    ...(task.reason === null ? {} : { task_reason: task.reason }),
  };
}

/** Which of the holder's passkeys may approve now; where none may, when the first one of those they have will. */
async function passkeysFor(core: Core, task: TaskRow): Promise<NonNullable<ApprovalView["passkeys"]>> {
  const enrolled = await listCredentials(core.store.db, { tenantId: task.tenant_id, personId: task.person_id });
  const ids = enrolled.filter((row) => core.now() >= usableFrom(row)).map((row) => row.credential_id);
  if (ids.length > 0 || enrolled.length === 0) return { ids };
  return { ids, usable_from: formatInstant(Math.min(...enrolled.map(usableFrom)) as Instant) };
}

/** Denied, expired, withdrawn by one or the other, superseded: different words, never one for another (U24). */
function statusOf(core: Core, action: ActionRow, task: TaskRow): ApprovalView["status"] {
  switch (action.status) {
    case "pending":
      return core.now() >= action.expires_at ? "expired" : "pending";
    case "approved":
      return action.policy === "none" ? "not_required" : "approved";
    case "withdrawn":
      return task.reason === "withdrawn_by_agent" ? "withdrawn_by_agent" : "withdrawn_by_holder";
    default:
      return action.status;
  }
}
