import { policyStatements } from "../tenancy.ts";
import type { Step } from "./define.ts";

/** Where a door's client wants to hear of one task, and up to which state it has heard. */
export const taskPush: Step = async ({ types: { int, bytes }, table, run }) => {
  await table(
    "task_push",
    `task_id text not null references task, plugin text not null, config_id text not null, tenant_id text not null,
     person_id text not null, client_id text not null, sealed ${bytes} not null, told_state text not null,
     due_at ${int} not null, tries ${int} not null, lease_owner text, lease_until ${int}, created_at ${int} not null,
     primary key (task_id, plugin, config_id)`,
  );
  await run("create index task_push_due on task_push (due_at)");
  if (bytes === "bytea") for (const statement of policyStatements("task_push")) await run(statement);
};
