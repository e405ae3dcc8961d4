import { policyStatements } from "../tenancy.ts";
import type { Step } from "./define.ts";

/** Where agents are told that a task of theirs has moved, and each such message on its way. */
export const taskWebhook: Step = async ({ types: { int, bytes }, table, run }) => {
  await table(
    "task_webhook",
    `webhook_id text primary key, tenant_id text not null, person_id text not null references person,
     client_id text not null, state text not null check (state in ('active','gone')), url_hash text not null,
     url ${bytes} not null, secret ${bytes} not null, secret_before ${bytes}, before_until ${int},
     failures ${int} not null, paused_until ${int}, created_at ${int} not null, unique (client_id, url_hash)`,
  );
  await table(
    "task_webhook_delivery",
    `webhook_id text not null references task_webhook, task_id text not null, revision ${int} not null,
     tenant_id text not null, task_state text not null, changed_at ${int} not null,
     state text not null check (state in ('waiting','sent','dropped','gave_up')), due_at ${int} not null,
     tries ${int} not null, lease_owner text, lease_until ${int}, settled_at ${int}, problem text,
     primary key (webhook_id, task_id, revision)`,
  );
  await run("create index task_webhook_due on task_webhook_delivery (due_at) where state = 'waiting'");
  await run("create index task_webhook_at on task_webhook_delivery (changed_at)");
  if (bytes === "bytea") {
    for (const name of ["task_webhook", "task_webhook_delivery"] as const)
      for (const statement of policyStatements(name)) await run(statement);
  }
};
