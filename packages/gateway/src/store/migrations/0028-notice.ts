import { policyStatements } from "../tenancy.ts";
import type { Step } from "./define.ts";

/** Telling people: what they are told, its way by each channel, and where they are reached. */
export const notice: Step = async ({ types: { int, bytes }, table, run }) => {
  await table(
    "notice",
    `notice_id text primary key, tenant_id text not null, person_id text not null references person,
     kind text not null, ref text not null, created_at ${int} not null, unique (kind, ref)`,
  );
  await run("create index notice_at on notice (created_at)");
  await table(
    "notice_delivery",
    `notice_id text not null references notice, channel text not null, tenant_id text not null, person_id text not null,
     urgency text not null check (urgency in ('waiting','security')),
     state text not null check (state in ('waiting','sent','dropped','gave_up')), due_at ${int} not null,
     tries ${int} not null, deferred ${int} not null check (deferred in (0, 1)), lease_owner text, lease_until ${int},
     message_id text, settled_at ${int}, problem text, primary key (notice_id, channel)`,
  );
  await run("create index notice_due on notice_delivery (due_at) where state = 'waiting'");
  await run("create index notice_of on notice_delivery (person_id, channel, urgency, settled_at)");
  await run("create index notice_message on notice_delivery (message_id) where message_id is not null");
  await table(
    "contact",
    `contact_ref text primary key, tenant_id text not null, person_id text not null references person,
     state text not null check (state in ('pending','current','replaced')), sealed ${bytes} not null, code ${bytes},
     code_hash text, code_tries ${int} not null, session_hash text, created_at ${int} not null, expires_at ${int},
     confirmed_at ${int}`,
  );
  // One address in force a person, whoever sets another at the same moment.
  await run("create unique index contact_current on contact (person_id) where state = 'current'");
  await run("create index contact_of on contact (person_id, created_at)");
  if (bytes === "bytea") {
    for (const name of ["notice", "notice_delivery", "contact"] as const)
      for (const statement of policyStatements(name)) await run(statement);
  }
};
