import type { Step } from "./define.ts";

/** Continuations are spent by a unique insert (MFA-3); a site's verification after submission has its row (MFA-6). */
export const continuation: Step = async ({ types: { int, bytes }, table, run }) => {
  await table(
    "continuation_use",
    `continuation_ref text primary key references continuation, session_hash text not null, used_at ${int} not null`,
  );
  await table(
    "verification",
    `continuation_ref text primary key references continuation, task_id text not null unique references task,
     mode text not null check (mode in ('form','page')), sealed ${bytes} not null, created_at ${int} not null,
     sending_at ${int}, closed_at ${int}`,
  );
  await run(`alter table continuation add column tried_elsewhere_at ${int}`);
  await run("alter table account add column identity text");
};
