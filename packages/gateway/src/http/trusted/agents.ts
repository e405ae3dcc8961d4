import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import { z } from "zod";
import { type AgentRow, decideAgent, revokeAgent } from "../../people/agents.ts";
import { receiversOf } from "../../task-events/webhooks.ts";
import type { AgentView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { type AddRoute, param } from "./trusted.ts";

const decisionBody = z.strictObject({ decision: z.enum(["accept", "refuse"]) });

export function registerAgents(add: AddRoute, { core, oauth }: ServerParts): void {
  add("GET", "/agents", async (person) => {
    const rows = await core.store.db
      .selectFrom("agent")
      .selectAll()
      .where("tenant_id", "=", person.tenantId)
      .where("person_id", "=", person.personId)
      .orderBy("created_at", "desc")
      .execute();
    const receivers = await receiversOf(core, person);
    return ok({
      agents: rows.map((row) => {
        const own = row.state === "accepted" ? receivers.get(row.client_id) : undefined;
        return { ...view(row), ...(own === undefined ? {} : { receivers: own }) };
      }),
    });
  });
  add("POST", "/agents/:id/decision", async (person, request) => {
    const body = readBody(request, decisionBody);
    if (!body.ok) return body;
    const decided = await decideAgent(core, oauth, person, param(request, "id"), body.value.decision);
    return decided.ok ? ok(view(decided.value)) : err({ reason: decided.reason });
  });
  add("POST", "/agents/:id/revoke", async (person, request) => {
    const revoked = await revokeAgent(core, oauth, person, param(request, "id"));
    return revoked.ok ? ok(view(revoked.value)) : err({ reason: revoked.reason });
  });
}

function view(row: AgentRow): AgentView {
  return {
    client_id: row.client_id,
    name: row.name,
    state: row.state,
    created_at: formatInstant(row.created_at as Instant),
    ...(row.decided_at === null ? {} : { decided_at: formatInstant(row.decided_at as Instant) }),
    ...(row.last_seen_at === null ? {} : { last_seen_at: formatInstant(row.last_seen_at as Instant) }),
  };
}
