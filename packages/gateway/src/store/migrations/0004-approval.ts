import type { Step } from "./define.ts";

/** How a decision was made, who has to make it, and the passkeys and authorities that may (APR-3). */
export const approval: Step = async ({ types: { int, bytes }, table, run }) => {
  await run("alter table action add column policy text not null default 'session'");
  await run("alter table approval add column method text not null default 'session'");
  await run("alter table approval add column passkey text");
  await run("alter table approval add column credential_id text");
  await run("alter table approval add column authority text");
  await run(`alter table approval add column evidence ${bytes}`);
  await table(
    "approval_policy",
    `tenant_id text not null references tenant, operation text not null,
     policy text not null check (policy in ('session','authority','passkey')), set_at ${int} not null,
     primary key (tenant_id, operation)`,
  );
  await table(
    "credential",
    `credential_id text primary key, tenant_id text not null, person_id text not null references person,
     public_key text not null, alg text not null, rp_id text not null, origin text not null, label text not null,
     enrolled_at ${int} not null, confirmed_at ${int}, revoked_at ${int}, jws text not null`,
  );
  await run("create index credential_of on credential (person_id)");
  await table(
    "authority_enrolment",
    `enrolment_ref text primary key, tenant_id text not null, person_id text not null references person,
     authority text not null, operations text not null, parameters text not null, label text not null,
     enrolled_at ${int} not null, removed_at ${int}`,
  );
  // One at a time: evidence is judged by exactly one enrolment, so two could not disagree.
  await run(
    "create unique index authority_enrolled on authority_enrolment (person_id, authority) where removed_at is null",
  );
  await table(
    "authority_use",
    `authority text not null, key text not null, task_id text not null references task,
     approval_ref text not null references approval, used_at ${int} not null, primary key (authority, key)`,
  );
};
