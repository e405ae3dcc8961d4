import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import { approvalDecision, decide, findAction } from "../../approval/decide.ts";
import type { ActionRow } from "../../approval/rows.ts";
import type { Core } from "../../core.ts";
import { readDisclosures } from "../../evidence/bundle.ts";
import { storedRecord } from "../../evidence/sequencer.ts";
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
    const body = readBody(request, approvalDecision);
    if (!body.ok) return body;
    const decided = await decide(core, person, person.sessionHash, param(request, "id"), body.value);
    if (!decided.ok) return err({ reason: decided.reason });
    const found = await findAction(core, person, param(request, "id"));
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
    .select(["approval_ref", "decided_at", "note"])
    .where("action_id", "=", action.action_id)
    .executeTakeFirst();
  const earlier =
    action.replaces === null
      ? undefined
      : await db.selectFrom("action").select("record").where("action_id", "=", action.replaces).executeTakeFirst();
  const destination = core.destinations.get(account.destination);
  const lapsed = action.status === "pending" && core.now() >= action.expires_at;
  return {
    action_id: action.action_id,
    task_id: task.task_id,
    action: storedRecord(action.record),
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
    status: lapsed ? "expired" : action.status,
    ...(approval === undefined ? {} : { decided_at: formatInstant(approval.decided_at as Instant) }),
    ...(approval?.note ? { note: openText(core.sealer, `note:${approval.approval_ref}`, approval.note) } : {}),
    ...(earlier === undefined ? {} : { changed_from: storedRecord(earlier.record) }),
    task_state: task.state,
    ...(task.reason === null ? {} : { task_reason: task.reason }),
  };
}
