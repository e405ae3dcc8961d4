import type { Step } from "./define.ts";

/** Equal wishes can be told, and tasks of a restored store wait until they are read back (STA-7, STA-8). */
export const outcome: Step = async ({ types: { int }, run }) => {
  await run("alter table task add column wish_digest text");
  await run("alter table task add column held_by text");
  await run(`alter table task add column suspect ${int} not null default 0`);
  await run("create index task_wish on task (account_ref, wish_digest)");
  await run("create index task_suspect on task (suspect) where suspect = 1");
  await run("create index task_held on task (held_by) where held_by is not null");
};
