import { formatInstant, type Instant, ok } from "@countersign/wire";
import type { Core } from "../../core.ts";
import { unreachedBy } from "../../notify/unreached.ts";
import type { PersonSession } from "../../people/sessions.ts";
import { listSignInEvents } from "../../people/sign-in-events.ts";
import type { InboxItem, InboxView } from "../../trusted/contract.ts";
import type { ServerParts } from "../server.ts";
import type { AddRoute } from "./trusted.ts";

const at = (ms: number) => formatInstant(ms as Instant);

/** Everything that waits for this person, the most urgent first. */
export function registerInbox(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/inbox", async (person) => {
    const parts = await Promise.all([
      handOffs(core, person),
      approvals(core, person),
      reviews(core, person),
      consents(core, person),
      agents(core, person),
      unreached(core, person),
      signInNews(core, person),
    ]);
    const view: InboxView = { items: parts.flat().toSorted(byUrgency) };
    return ok(view);
  });
}

/** What runs out comes first, the soonest before the others; the rest keeps the order of its kinds and ages. */
function byUrgency(one: InboxItem, other: InboxItem): number {
  if (one.expires_at === undefined || other.expires_at === undefined)
    return Number(one.expires_at === undefined) - Number(other.expires_at === undefined);
  return one.expires_at < other.expires_at ? -1 : one.expires_at > other.expires_at ? 1 : 0;
}

/** What happened with the person's own sign-in and they have not said that they have seen. */
async function signInNews(core: Core, person: PersonSession): Promise<readonly InboxItem[]> {
  const events = await listSignInEvents(core.store.db, person);
  return events
    .filter((row) => row.seen_at === null)
    .map((row) => ({ kind: "security", href: "/passkeys", title: row.label, created_at: at(row.at) }));
}

async function approvals(core: Core, person: PersonSession): Promise<readonly InboxItem[]> {
  const rows = await core.store.db
    .selectFrom("action")
    .innerJoin("task", "task.task_id", "action.task_id")
    .innerJoin("agent", "agent.client_id", "task.client_id")
    .innerJoin("account", "account.account_ref", "task.account_ref")
    .select([
      "action.action_id",
      "action.created_at",
      "action.expires_at",
      "task.operation",
      "task.task_id",
      "agent.name as agent",
      "account.name as account",
    ])
    .where("action.status", "=", "pending")
    .where("task.state", "=", "approval_required")
    .where("task.tenant_id", "=", person.tenantId)
    .where("task.person_id", "=", person.personId)
    .where("action.expires_at", ">", core.now())
    .orderBy("action.expires_at")
    .execute();
  return rows.map((r) => ({
    kind: "approval",
    href: `/approvals/${r.action_id}`,
    title: core.catalogue.get(r.operation)?.title ?? r.operation,
    agent: r.agent,
    account: r.account,
    task_id: r.task_id,
    created_at: at(r.created_at),
    expires_at: at(r.expires_at),
  }));
}

/** Sign-ins and verifications that tasks wait for; one that its task no longer waits for is nobody's business. */
async function handOffs(core: Core, person: PersonSession): Promise<readonly InboxItem[]> {
  const rows = await core.store.db
    .selectFrom("continuation")
    .innerJoin("account", "account.account_ref", "continuation.account_ref")
    .innerJoin("task", "task.continuation_ref", "continuation.continuation_ref")
    .innerJoin("agent", "agent.client_id", "task.client_id")
    .select([
      "continuation.continuation_ref",
      "continuation.kind",
      "continuation.created_at",
      "continuation.expires_at",
      "account.name",
      "account.destination",
      "task.task_id",
      "agent.name as agent",
    ])
    .where("continuation.tenant_id", "=", person.tenantId)
    .where("continuation.person_id", "=", person.personId)
    .where("completed_at", "is", null)
    .where("continuation.expires_at", ">", core.now())
    .orderBy("continuation.expires_at")
    .execute();
  return rows.map((r) => ({
    kind: r.kind === "verification" ? "verification" : "sign_in",
    href: `/continuations/${r.continuation_ref}`,
    title: core.destinations.get(r.destination)?.title ?? r.destination,
    agent: r.agent,
    account: r.name,
    task_id: r.task_id,
    created_at: at(r.created_at),
    expires_at: at(r.expires_at),
  }));
}

async function reviews(core: Core, person: PersonSession): Promise<readonly InboxItem[]> {
  const rows = await core.store.db
    .selectFrom("task")
    .innerJoin("agent", "agent.client_id", "task.client_id")
    .select(["task_id", "operation", "review_at", "agent.name as agent"])
    .where("task.tenant_id", "=", person.tenantId)
    .where("task.person_id", "=", person.personId)
    .where("review_at", "is not", null)
    .orderBy("review_at", "desc")
    .execute();
  return rows.map((r) => ({
    kind: "review",
    href: `/tasks/${r.task_id}`,
    title: core.catalogue.get(r.operation)?.title ?? r.operation,
    agent: r.agent,
    task_id: r.task_id,
    created_at: at(r.review_at ?? 0),
  }));
}

async function consents(core: Core, person: PersonSession): Promise<readonly InboxItem[]> {
  const rows = await core.store.db
    .selectFrom("consent")
    .innerJoin("agent", "agent.client_id", "consent.client_id")
    .select(["consent_ref", "destination", "requested_at", "agent.name as agent"])
    .where("consent.tenant_id", "=", person.tenantId)
    .where("consent.person_id", "=", person.personId)
    .where("consent.state", "=", "requested")
    .orderBy("requested_at")
    .execute();
  return rows.map((r) => ({
    kind: "consent",
    href: `/consents/${r.consent_ref}`,
    title: core.destinations.get(r.destination)?.title ?? r.destination,
    agent: r.agent,
    created_at: at(r.requested_at),
  }));
}

/** Somebody who is told by mail and is not reached should hear of it where they look. */
async function unreached(core: Core, person: PersonSession): Promise<readonly InboxItem[]> {
  const channels = await unreachedBy(core, core.store.db, person.personId);
  return channels.map(({ channel, at: since }) => ({
    kind: "unreached",
    href: "/contact",
    title: channel,
    created_at: at(since),
  }));
}

async function agents(core: Core, person: PersonSession): Promise<readonly InboxItem[]> {
  const rows = await core.store.db
    .selectFrom("agent")
    .selectAll()
    .where("tenant_id", "=", person.tenantId)
    .where("person_id", "=", person.personId)
    .where("state", "=", "requested")
    .orderBy("created_at")
    .execute();
  return rows.map((r) => ({
    kind: "agent",
    href: `/agents/${r.client_id}`,
    title: r.name,
    agent: r.name,
    created_at: at(r.created_at),
  }));
}
