import type { Step } from "./define.ts";

/**
 * What grants were used for, so that limits of a period can be held (CON-3). Submissions of before are uses too; what
 * they cost stands sealed in their records and is left out, for no grant of that time has a limit of a period.
 */
export const grantUse: Step = async ({ types: { int }, table, run }) => {
  await table(
    "grant_use",
    `task_id text primary key references task, tenant_id text not null, consent_ref text not null references consent,
     operation text not null, amount_minor ${int} check (amount_minor >= 0), currency text, payee text, at ${int} not null,
     state text not null check (state in ('reserved','spent','released')), settled_at ${int},
     check ((amount_minor is null) = (currency is null)), check ((state = 'reserved') = (settled_at is null))`,
  );
  await run("create index grant_use_of on grant_use (consent_ref, at)");
  await run(
    `insert into grant_use (task_id, tenant_id, consent_ref, operation, at, state, settled_at)
     select t.task_id, t.tenant_id, t.consent_ref, t.operation, s.submitted_at,
       case t.state when 'succeeded' then 'spent' when 'failed' then 'released' else 'reserved' end,
       case when t.state in ('succeeded','failed') then t.updated_at end
     from submission s join task t on t.task_id = s.task_id`,
  );
};
