import type { Step } from "./define.ts";

/** What the everyday pages ask for: when an agent was last heard of, and a person's own rows found by an index. */
export const pages: Step = async ({ types: { int }, run }) => {
  await run(`alter table agent add column last_seen_at ${int}`);
  await run("create index agent_of on agent (tenant_id, person_id)");
  await run("create index account_of on account (tenant_id, person_id)");
  await run("create index consent_of on consent (tenant_id, person_id, requested_at)");
};
