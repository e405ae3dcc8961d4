import type { Step } from "./define.ts";

/**
 * What is asked for at each step is found by an index, however many tasks there are. On PostgreSQL it is also what
 * keeps transactions apart: one that reads a whole table is in conflict with everybody who writes there.
 */
export const lookUps: Step = async ({ run }) => {
  await run("create index task_leased on task (account_ref, lease_until) where lease_until is not null");
  await run("create index task_of_client on task (client_id, state)");
  await run("create index task_of_account on task (account_ref, state)");
  await run("create index action_of_task on action (task_id, status)");
  await run("create index consent_of_client on consent (client_id, state)");
  await run("create index account_detail_of on account_detail (account_ref)");
  await run("create index continuation_of_task on continuation (task_id) where task_id is not null");
};
