import { policyStatements } from "../tenancy.ts";
import type { Step } from "./define.ts";

/** Clients that are no agent's own: one metadata document stands for the agents of many people. */
export const oauth: Step = async ({ types: { int, bytes }, table, run }) => {
  await run("alter table agent add column oauth_client text");
  // One live agent a person and client, whoever decides twice at the same moment.
  await run("create unique index agent_oauth_client on agent (person_id, oauth_client) where state = 'accepted'");
  await table(
    "oauth_grant",
    `grant_hash text primary key, tenant_id text not null, client_id text not null references agent,
     consent_ref text references consent, created_at ${int} not null`,
  );
  await run("create index oauth_grant_of on oauth_grant (client_id)");
  await table(
    "client_document",
    `client_url text primary key, document text not null, fetched_at ${int} not null, fresh_until ${int} not null`,
  );
  if (bytes === "bytea") for (const statement of policyStatements("oauth_grant")) await run(statement);
};
